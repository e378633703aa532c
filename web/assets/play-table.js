// The playing surface of a seat: what a press on a card, a target or a pile means. It only sets the form's own fields,
// and those are what is read back and sent.

const inputs = (where, css) => [...where.querySelectorAll(css)];

// Action cards ---------------------------------------------------------------------------------------------------------

const main = (answer, word) => inputs(answer, ".pick-main input").find((input) => input.value === word);

// A second copy implies the first, a target its action, and an amount its word; "nothing" stands alone.
const imply = (answer, input) => {
  const again = input.dataset.againOf;
  if (again && input.checked) main(answer, again).checked = true;
  const row = input.closest("[data-target-of]");
  const word = row?.dataset.targetOf.replace(/^target-?/, "");
  if (row && word) {
    for (const other of inputs(row, "input")) if (other !== input && input.checked) other.checked = false;
    main(answer, word).checked = inputs(row, ":checked").length > 0;
  }
  const amount = input.closest("[data-amount-of]");
  if (amount && (input.checked || (input.type === "number" && input.value))) main(answer, amount.dataset.amountOf).checked = true;
  if (!input.closest(".pick-main")) return;
  if (!input.checked) {
    for (const part of inputs(answer, `[data-again-of="${CSS.escape(input.value)}"], [data-target-of="target-${CSS.escape(input.value)}"] input`)) part.checked = false;
  } else if (input.type === "checkbox") {
    const alone = input.value === "nothing";
    for (const other of inputs(answer, "input[type=checkbox]")) {
      if (alone ? other !== input : other.value === "nothing") other.checked = false;
    }
  }
};

// What the form says beside its button, with the reason why something cannot be chosen in a line of its own.
const say = (form, words, isWhy = false) => {
  const said = form?.querySelector("[data-said]");
  if (!said || "busy" in form.dataset) return;
  said.textContent = words;
  said.toggleAttribute("data-refused", isWhy);
};

// The choice whose target is still to be chosen, in words. It would do nothing; whoever types it means it.
const lacks = (form) => (form.elements.move?.value.trim() ? "" : form.querySelector("[data-lacks]")?.dataset.lacks ?? "");
const sender = (form) => form?.querySelector(".act-buttons > .send");

// Dims the button that sends while a target is still to be chosen, and gives the reason.
export const limit = (form) => {
  const [button, why] = [sender(form), form ? lacks(form) : ""];
  if (why) button?.setAttribute("aria-disabled", "true"); else button?.removeAttribute("aria-disabled");
  return why;
};

// Targets are faint until what they belong to is chosen: a press on one chooses both.
const aim = (answer) => {
  delete answer.dataset.lacks;
  for (const row of inputs(answer, '[data-target-of^="target-"]')) {
    const chosen = main(answer, row.dataset.targetOf.replace("target-", ""));
    row.toggleAttribute("data-idle", !chosen?.checked);
    if (chosen?.checked && !row.querySelector(":checked")) answer.dataset.lacks = `Choose what to ${chosen.closest("label").querySelector(".pick-name").textContent.toLowerCase()}`;
  }
  return limit(answer.form);
};

// What cannot be chosen beside what is chosen: one more than allowed, or the other half of a barred pair. It is dim, it
// cannot be pressed, and says why. Nothing else on the table moves for it. An item, such as "+overload", is no action.
const counts = (word) => word !== "nothing" && !word.startsWith("+");
const bound = (answer) => {
  const most = Number(answer.dataset.most);
  if (!most) return;
  const picks = inputs(answer, ".pick-main input"), again = inputs(answer, "[data-again-of]");
  const chosen = picks.filter((input) => input.checked && counts(input.value)).map((input) => input.value);
  const count = chosen.length + again.filter((input) => input.checked).length;
  const full = `${count} of ${most} chosen: take one back first`;
  const pairs = inputs(answer, "[data-barred-pair]").map((item) => ({ words: item.dataset.barredPair.split(" "), why: item.textContent }));
  const close = (input, why) => {
    const label = input.closest("label");
    input.disabled = Boolean(why);
    label.title = why ?? "";
    // Screen readers get the reason with the name.
    label.querySelector("[data-why]")?.remove();
    if (!why) return;
    const said = Object.assign(document.createElement("span"), { className: "sr", textContent: `, ${why}` });
    said.dataset.why = "";
    label.append(said);
  };
  for (const input of picks) {
    const pair = pairs.find(({ words }) => words.includes(input.value) && words.some((word) => word !== input.value && chosen.includes(word)));
    const free = input.checked || !counts(input.value);
    close(input, free ? null : pair ? pair.why : count >= most ? full : null);
    for (const part of inputs(answer, `[data-target-of="target-${CSS.escape(input.value)}"] input`)) close(part, input.disabled ? input.closest("label").title : null);
  }
  for (const input of again) {
    const takes = chosen.includes(input.dataset.againOf) ? 1 : 2;
    close(input, !input.checked && count + takes > most ? full : null);
  }
  say(answer.form, aim(answer) || (count >= most ? `${count} of ${most} chosen` : ""));
};

// An amount is one of the steps or a figure that is typed, never both.
document.addEventListener("input", (event) => {
  for (const other of event.target.closest?.(".steps")?.querySelectorAll("input") ?? []) {
    if (other === event.target) continue;
    if (other.type === "radio") other.checked = other.checked && !event.target.value; else other.value = "";
  }
}, true);

document.addEventListener("input", (event) => {
  const answer = event.target.closest?.("[data-answer]");
  if (!answer || !event.target.matches("input")) return;
  if (answer.form?.querySelector("[data-refused]")) say(answer.form, "");
  imply(answer, event.target);
  bound(answer);
}, true);

// A word has one place of an order: one that is chosen twice leaves the other place.
document.addEventListener("input", (event) => {
  if (!event.target.matches?.("[data-in-order]")) return;
  for (const other of inputs(event.target.closest(".q"), "[data-in-order]")) if (other !== event.target && other.value === event.target.value) other.value = "";
}, true);

// A press on what is dim says why. The field itself gets no press (play.css), so that its label does.
document.addEventListener("click", (event) => {
  const label = event.target.closest?.("[data-answer] label");
  const why = label?.control?.disabled && (label.title || label.querySelector("[data-why]")?.textContent);
  if (!why) return;
  const words = why.replace(/^\W+/, "");
  say(label.closest("form"), words.replace(/^[a-z](?!\d)/, (first) => first.toUpperCase()), true);
});

// The button that is dim sends nothing, and says why.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const why = form.matches("form[data-asked]") && !event.submitter?.hasAttribute("formaction") && limit(form);
  if (!why) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  say(form, why, true);
}, true);

// A choice that is not sent outlives a reload, in this window alone.
const kept = (form) => `matchbook.choice.${location.pathname}.${form.dataset.decision}`;
const HELD = /^(pick|target|amount-|at-|in-|part-)/;
export const remember = (form) => {
  const held = [...new FormData(form)].filter(([name]) => HELD.test(name));
  try { sessionStorage.setItem(kept(form), JSON.stringify(held)); } catch { /* it is chosen again */ }
};
const recall = (form) => {
  let held = null;
  try { held = JSON.parse(sessionStorage.getItem(kept(form))); } catch { /* nothing was kept */ }
  if (!held || form.querySelector(".sent")) return;
  const left = held.map(([name, value]) => `${name}=${value}`);
  const take = (field) => { const at = left.indexOf(field); if (at >= 0) left.splice(at, 1); return at >= 0; };
  for (const input of inputs(form, "input:is([type=checkbox], [type=radio])")) if (HELD.test(input.name)) input.checked = take(`${input.name}=${input.value}`);
  for (const [name, value] of held) for (const field of inputs(form, `:is(select, input:not([type]), input[type=number])[name="${CSS.escape(name)}"]`)) field.value = value;
  // Read back like any other choice.
  if (held.length) queueMicrotask(() => form.querySelector("input:checked, select")?.dispatchEvent(new Event("input", { bubbles: true })));
};

// Things and their places ----------------------------------------------------------------------------------------------

// A table of things and places over plain fields: a press puts a thing into the place that is active, or takes it back.
const lay = (answer) => {
  const table = answer.querySelector("[data-place-table]");
  if (!table || !table.hidden) return;
  table.hidden = false;
  const summed = "summed" in answer.dataset;
  // Cards that are summed keep their place on the table, and each pile names what lies there: it would push the others off a
  // phone.
  const stays = summed;
  // So many that they lie small, all in their places: two change places by a press on each.
  const swaps = "dense" in answer.dataset;
  let picked = null;
  const slots = inputs(table, ".place-slot").map((box) => ({
    box, name: box.querySelector(".place-name, .place-label"), here: box.querySelector(".place-here"), count: box.querySelector(".place-count"),
    least: Number(box.dataset.least), most: Number(box.dataset.most), words: [],
  }));
  const loose = table.querySelector(".place-things");
  const things = new Map(inputs(table, ".place-thing").map((button) => [button.dataset.thing, button]));
  const fields = answer.querySelector(".place-fields");
  const sorts = inputs(fields, "[data-sort]"), orders = inputs(fields, "[data-order]"), written = inputs(fields, "[data-written]");
  const slotOf = (order) => slots[slots.length === 1 ? 0 : orders.indexOf(order)];
  let active = 0;

  const load = () => {
    for (const slot of slots) slot.words = [];
    for (const sort of sorts) if (sort.value) slots[sort.value].words.push(sort.dataset.sort);
    for (const order of orders) if (order.value) slotOf(order).words.push(order.value);
    for (const line of written) slots[line.dataset.written].words = line.value.split(/[\s,;]+/).filter((word) => things.has(word));
  };
  const write = () => {
    const at = new Map(slots.flatMap((slot, n) => slot.words.map((word) => [word, n])));
    for (const sort of sorts) sort.value = at.get(sort.dataset.sort) ?? "";
    const left = new Map(slots.map((slot) => [slot, [...slot.words]]));
    for (const order of orders) order.value = left.get(slotOf(order)).shift() ?? "";
    for (const line of written) line.value = slots[line.dataset.written].words.join(" ");
    draw();
  };
  const save = () => {
    write();
    answer.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const has = (slot) => slot.words.length >= slot.most;
  const draw = () => {
    const focused = document.activeElement;
    const lies = new Map(slots.flatMap((slot) => slot.words.map((word) => [word, slot])));
    for (const [word, button] of things) {
      const slot = lies.get(word);
      button.setAttribute("aria-pressed", String(Boolean(slot)));
      button.toggleAttribute("data-here", swaps ? word === picked : Boolean(slot) && slot === slots[active]);
      button.title = slot ? `${button.dataset.label}: ${slot.name.querySelector("b").textContent}` : button.dataset.label;
      const home = slot && !stays ? slot.here : loose;
      if (button.parentElement !== home) home.append(button);
    }
    slots.forEach((slot, n) => {
      const sum = slot.words.reduce((all, word) => all + Number(things.get(word)?.dataset.worth ?? 0), 0);
      slot.box.classList.toggle("is-active", n === active && slot.name.matches("button"));
      slot.box.classList.toggle("is-full", slot.most > 0 && slot.least === slot.most && has(slot));
      if (slot.name.matches("button")) slot.name.setAttribute("aria-pressed", String(n === active));
      if (slot.most > 0) slot.count.textContent = slot.least === slot.most ? `${slot.words.length}/${slot.most}` : String(summed ? sum : slot.words.length);
      if (slot.most > 0 && summed) slot.count.prepend(Object.assign(document.createElement("span"), { className: "sum", textContent: "sum " }));
      if (stays) {
        slot.box.querySelector("[data-laid]")?.remove();
        const laid = Object.assign(document.createElement("span"), { textContent: slot.words.join(" ") });
        laid.dataset.laid = "";
        if (slot.words.length) slot.name.append(laid);
      }
    });
    if (!stays) slots.forEach((slot) => slot.words.forEach((word) => slot.here.append(things.get(word))));
    if (focused && focused !== document.activeElement && table.contains(focused)) focused.focus({ preventScroll: true });
  };
  const take = (word) => { for (const slot of slots) slot.words = slot.words.filter((other) => other !== word); };
  const put = (word, slot) => {
    if (!slot || (has(slot) && !slot.words.includes(word))) return;
    take(word);
    slot.words.push(word);
    active = slots.indexOf(slot);
    // A place for a fixed number is done when it is full.
    if (slot.least === slot.most && has(slot)) {
      const next = slots.findIndex((other, n) => n > active && !has(other));
      active = next >= 0 ? next : Math.max(0, slots.findIndex((other) => !has(other)));
    }
    save();
  };
  const swap = (one, other) => {
    const [here, there] = [one, other].map((word) => slots.find((slot) => slot.words.includes(word)));
    const at = [here?.words.indexOf(one), there?.words.indexOf(other)];
    if (here) here.words[at[0]] = other;
    if (there) there.words[at[1]] = one;
    picked = null;
    save();
  };
  table.addEventListener("click", (event) => {
    const button = event.target.closest(".place-thing");
    const box = event.target.closest(".place-slot");
    if (button) {
      const word = button.dataset.thing;
      if (swaps && (picked || slots.some((slot) => slot.words.includes(word)))) {
        if (picked && picked !== word) swap(picked, word); else { picked = picked ? null : word; draw(); }
        return;
      }
      if (slots.some((slot) => slot.words.includes(word))) { take(word); save(); }
      else put(word, has(slots[active]) ? slots.find((slot) => !has(slot)) : slots[active]);
    } else if (box) {
      active = slots.findIndex((slot) => slot.box === box);
      draw();
    }
  });
  let dragged = null;
  for (const [word, button] of things) {
    button.draggable = true;
    button.addEventListener("dragstart", () => { dragged = word; });
  }
  table.addEventListener("dragover", (event) => { if (dragged) event.preventDefault(); });
  table.addEventListener("drop", (event) => {
    if (!dragged) return;
    event.preventDefault();
    const slot = slots.find(({ box }) => box === event.target.closest(".place-slot"));
    const onto = event.target.closest(".place-thing")?.dataset.thing;
    if (swaps && onto && onto !== dragged) swap(dragged, onto);
    else if (slot) put(dragged, slot); else if (!swaps) { take(dragged); save(); }
    dragged = null;
  });
  load();
  // They lie somewhere until somebody moves them. That is no choice yet that could be missed.
  if (answer.dataset.drawn && slots.every((slot) => !slot.words.length)) {
    answer.dataset.drawn.split("|").forEach((words, n) => { slots[n].words = words.split(" ").filter(Boolean); });
    write();
  }
  active = Math.max(0, slots.findIndex((slot) => !has(slot)));
  draw();
};

// Makes the surface of these forms.
export const dress = (where) => {
  for (const form of where.querySelectorAll("form[data-asked]")) recall(form);
  for (const answer of where.querySelectorAll("[data-place]")) lay(answer);
  for (const answer of where.querySelectorAll("[data-most]")) bound(answer);
};
