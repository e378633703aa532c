// A player's seat: reads back what is picked or typed, seals and sends it, counts the time, and keeps the page true.
// Every form works without it; then the server reads and seals.
import { Refused, Waits, alter, load, seal, seals, speak, voice } from "./play-seal.js";
import { carry } from "./play-carry.js";
import { learn, tick } from "./play-clock.js";
import { putAway } from "./play-notices.js";
import { again, reveal, tableNow } from "./play-reveal.js";
import { dress, limit, remember } from "./play-table.js";
import { offer, ring, wanted } from "./bell.js";
import { follow } from "./follow.js";
import { asks } from "./play-vouch.js";
import { SHARE_WORDS, commit, settled, share } from "./play-share.js";

const seat = document.querySelector("[data-play]");
const { home, seat: place } = seat.dataset;
const signing = () => document.querySelector("[data-signing]");
const connection = document.querySelector("[data-connection]");
const signal = document.querySelector("[data-signal]");
const signals = (on) => {
  if ((signal.dataset.signal === "on") === on) return;
  signal.dataset.signal = on ? "on" : "off";
  signal.querySelector("[data-signal-word]").textContent = on ? "Connected" : "No connection";
};
const speaker = document.querySelector("[data-announce]");
const announce = (words) => { speaker.textContent = words; };
const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });
const make = (name, words, kind) => Object.assign(document.createElement(name), { textContent: words, className: kind ?? "" });

// Reading back ---------------------------------------------------------------------------------------------------------

const READ_MS = 150;
const reading = new WeakMap();

const show = (form, answer) => {
  const box = form.querySelector(".line");
  const line = answer.line;
  const parts = [];
  if (line.words) parts.push(make("b", line.words));
  // What is still to be chosen is said beside the button.
  for (const note of limit(form) ? [] : line.notes) parts.push(" ", make("span", note, "caution"));
  if (line.error) {
    const error = make("span", "", "error");
    if (line.error.found) {
      const typed = make("span", line.error.before, "dmn");
      typed.append(make("mark", line.error.found), line.error.after);
      error.append(typed, " ");
    }
    error.append(line.error.text, line.error.rule ? ` (rule ${line.error.rule})` : "");
    parts.push(error);
  }
  box.dataset.state = line.state;
  box.querySelector(".readback").replaceChildren(...parts);
  form.elements.move.toggleAttribute("aria-invalid", Boolean(line.error));
};

const fields = (form, by) => new URLSearchParams(new FormData(form, by));

// What the form says now, by the rules: the line, its words, and the values to seal. Nothing is stored.
const read = async (body) => {
  const answer = await fetch(`${home}/read`, { method: "POST", body, headers: { Accept: "application/json" } });
  const read = await answer.json();
  if (answer.status >= 500) throw new Error(read.detail);
  if (!answer.ok) throw Object.assign(new Refused(read.detail), { stale: answer.status === 409 });
  return read;
};

const readBack = async (form) => {
  const mine = Symbol("reading");
  reading.set(form, mine);
  await wait(READ_MS);
  if (reading.get(form) !== mine) return;
  try {
    const answer = await read(fields(form));
    if (reading.get(form) === mine) show(form, answer);
  } catch { /* It is read again when it is sent. */ }
};

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-asked]");
  if (!form) return;
  form.dataset.dirty = "";
  remember(form);
  // Whoever goes back to picking means what is picked.
  if (event.target.name !== "move" && event.target.closest("[data-answer]")) form.elements.move.value = "";
  limit(form);
  void readBack(form);
});

// Beside the button: what goes from here is unsigned; or in its place: nothing goes from here.
const remedy = (form, elsewhere, nothing) => {
  const old = form.querySelector("[data-remedy]");
  form.toggleAttribute("data-keyless", nothing);
  if (!elsewhere && !nothing) old?.remove();
  if (old || !(elsewhere || nothing)) return;
  const told = make("p", nothing ? "Moves from this browser do not count. " : "You are signed in to this seat on another device. ", "hint");
  told.dataset.remedy = "";
  const ways = Object.assign(make("button", nothing ? "Why, and what to do" : "Enter its code"), { type: "button" });
  ways.setAttribute("popovertarget", "more");
  told.append(ways);
  form.querySelector(".say")?.append(told);
};

// Whose key signs for the seat, in a sentence.
const tell = async () => {
  const found = await voice();
  const { signs, why, free } = found, elsewhere = Boolean(why && found.elsewhere), nothing = Boolean(found.mine?.leftOut);
  if (!signing()) return;
  carry("ended" in seat.dataset ? {} : found, taken);
  if ("ended" in seat.dataset) return;
  // Whoever sends before deciding plays without a registered player.
  if (signs) document.querySelector("[data-vouch]")?.toggleAttribute("hidden", true);
  signing().textContent = signs ? `This browser signs what you send. The key’s name, which is not the code: ${seat.dataset.key}`
    : !free ? `${why ?? ""}${seat.dataset.key || seat.dataset.unsigned ? "" : " What you send is shown as sealed by the server, unsigned."}`
    : found.elsewhere ? "Another browser has sent for your seat. If you send from here, this browser signs in its place; or enter its code, then both sign."
    : "This browser signs what you send. Its key enters the record with your first move, and signs for your seat until the end of the match.";
  // What is unsigned from here is no small print.
  signing().className = elsewhere || nothing ? "notice" : "hint";
  if (elsewhere || nothing) [signing().dataset.kind, signing().closest("details").open] = ["problem", true]; else delete signing().dataset.kind;
  for (const form of document.querySelectorAll("form[data-asked]")) remedy(form, elsewhere, nothing);
  // A share needs no words where this browser makes it.
  const keeps = Boolean(signs || free);
  for (const form of document.querySelectorAll("form[data-share]")) {
    form.elements.move.required = !keeps;
    form.dataset.told = "";
    for (const told of form.querySelectorAll("[data-keeps], [data-types]")) told.hidden = "keeps" in told.dataset !== keeps;
  }
};

// The code was right: that is said on top, where the question is.
const taken = async () => {
  await tell();
  document.getElementById("more").hidePopover();
  scrollTo(0, 0);
  tellOver("Your key", make("p", "This browser can sign now, too."));
};

// Before the first move a registered player is asked whether to vouch for the seat's key. Opening the page offers no key.
const begin = async () => {
  if (["entered", "unsigned", "ended"].some((done) => done in seat.dataset) || !("live" in seat.dataset)) return;
  await asks(tell);
};

// Sending --------------------------------------------------------------------------------------------------------------

const BACKOFF_MS = [400, 800, 1500, 3000, 5000];
// What waits for the network goes on at once when it is back, and then from the shortest pause.
const waiting = new Set();
const back = () => { for (const wake of waiting) wake(); };
const pause = (tries) => new Promise((done) => {
  const end = (next) => { clearTimeout(timer); waiting.delete(wake); done(next); }, wake = () => end(0);
  const timer = setTimeout(() => end(tries + 1), BACKOFF_MS[Math.min(tries, BACKOFF_MS.length - 1)]);
  waiting.add(wake);
});

// Sends until there is an answer: the same bytes with the same id, which counts once however often it arrives.
const deliver = async (body, said) => {
  for (let tries = 0; ;) {
    let why = "No connection.";
    try {
      const answer = await fetch(`${home}/submit`, { method: "POST", body: new URLSearchParams(body), headers: { Accept: "application/json" } });
      if (answer.ok) return answer.url;
      const problem = await answer.json().catch(() => ({}));
      if (answer.status < 500) throw Object.assign(new Refused(problem.detail ?? "This was refused."), { stale: answer.status === 409 });
      why = "The server takes nothing just now.";
    } catch (error) {
      if (error instanceof Refused) throw error;
      signals(false);
    }
    said.textContent = `${why} Sending again by itself (${tries + 1}); sent twice, it counts once.`;
    tries = await pause(tries);
  }
};

// What is on its way is kept until it is answered, so that a page that was closed or loaded again goes on sending it.
const pending = async (body) => {
  if (!(await load().catch(() => null))) return;
  await alter((mine) => { if (body) mine.pending = body; else delete mine.pending; }).catch(() => {});
};

// What became of an answer whose question has gone from the page.
const tellAway = (words) => {
  const box = make("div", "", "toast notice");
  box.dataset.kind = "problem";
  box.setAttribute("role", "alert");
  box.append(make("p", words));
  document.querySelector("[data-late]").replaceChildren(box);
};

const prompts = new Map();
const asked = (decision) => prompts.get(decision) ?? "Your move";

// The question was closed while this was on its way: it is sent all the same, so that the umpire can admit it.
const sendLate = async (filled, said) => {
  try {
    location.assign(await deliver(filled.toString(), said));
  } catch (error) {
    throw Object.assign(error, { late: true });
  }
};

const wrong = (form, error) => {
  if (!form.isConnected || error?.late) {
    const [round, why] = [asked(form.dataset.decision).split(":")[0], error?.message ?? "This could not be sealed."];
    tellAway(`${round}: ${why.replace(/^[A-Z]/, (first) => first.toLowerCase())}`);
    if (error?.late) {
      delete form.dataset.dirty;
      // The server tells it too, with the move.
      void renew().catch(() => { /* It is asked again. */ });
    }
    return;
  }
  const line = form.querySelector(".line");
  const why = make("span", error?.message ?? "This could not be sealed.", "error");
  if (error?.stale) why.append(" ", Object.assign(make("a", "Load the current page"), { href: home }));
  line.dataset.state = "invalid";
  // What the rules refuse is marked in the line that was read back.
  if (!error?.shown) line.querySelector(".readback").replaceChildren(why);
  form.elements.move.setAttribute("aria-invalid", "true");
  // Never a field to type into: on a touch screen its keyboard would cover the table.
  form.querySelector("[data-answer] :is(input:is([type=radio], [type=checkbox]), button):enabled")?.focus({ preventScroll: true });
};

// Seals what a form says for its own question, and sends it; says so where it is refused. What comes after the close is late.
const send = async (form, said, by) => {
  // Taken before the button that was pressed is disabled: a disabled one says nothing.
  const filled = fields(form, by), buttons = [...form.querySelectorAll("button")];
  for (const button of buttons) button.disabled = true;
  form.dataset.busy = "";
  // What was to be read back while it was typed comes too late now.
  reading.delete(form);
  said.textContent = "Sealing…";
  try {
    let body = null;
    for (let tries = 0; !body;) {
      try {
        await settled();
        const mine = await speak();
        void tell();
        const kept = "share" in form.dataset && mine.signs;
        const answer = kept ? null : await read(filled);
        if (answer) show(form, answer);
        if (answer && !answer.values) throw Object.assign(new Refused(answer.line.error?.text ?? "Choose a move first."), { shown: Boolean(answer.line.error) });
        // What is typed for a share stays here.
        if (kept) filled.delete("move");
        filled.set("sealed", JSON.stringify(kept ? await commit(form, mine) : await seal(form, answer.values, mine, filled.has("final"))));
        // Not before it is sealed: what fails above is tried again, and nothing goes without its seal.
        body = filled;
      } catch (error) {
        if (error.stale) { await sendLate(filled, said); return; }
        if (error instanceof Refused) throw error;
        const waits = error instanceof Waits;
        if (!waits) signals(false);
        said.textContent = `${waits ? error.message : "No connection."} Trying again by itself (${tries + 1}).`;
        tries = await pause(tries);
      }
    }
    said.textContent = "Sending…";
    await pending(body.toString());
    const page = await deliver(body, said);
    await pending(null);
    location.assign(page);
  } catch (error) {
    await pending(null);
    said.textContent = "";
    delete form.dataset.busy;
    for (const button of buttons) button.disabled = false;
    wrong(form, error);
  }
};

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-asked]");
  if (!form || !seals || event.submitter?.hasAttribute("formaction")) return;
  event.preventDefault();
  void send(form, form.querySelector("[data-said]"), event.submitter);
});

// Whoever comes back to the page by the browser's own way finds its forms as they were.
addEventListener("pageshow", () => {
  for (const button of seat.querySelectorAll("button")) button.disabled = false;
});

// What a page that was closed did not see answered.
const resume = async () => {
  const mine = await load().catch(() => null);
  const body = mine?.pending && new URLSearchParams(mine.pending);
  if (!body) return;
  const form = seat.querySelector(`form[data-decision="${CSS.escape(body.get("decision"))}"]`);
  const said = form?.querySelector("[data-said]") ?? make("p", "");
  said.textContent = "Sending your last move again…";
  try {
    const page = await deliver(body, said);
    await pending(null);
    location.assign(page);
  } catch (error) {
    await pending(null);
    said.textContent = "";
    if (form) wrong(form, error); else tellAway(`Your last move: ${error.message}`);
  }
};

// The share of coming draws ------------------------------------------------------------------------------------------------

const SHARE_MS = 500;
let sharing = false;

const tellShare = (words, kind) => {
  const box = make("div", "", "notice");
  box.dataset.kind = kind;
  box.setAttribute("role", kind === "problem" ? "alert" : "status");
  box.append(make("p", words));
  document.querySelector("[data-share-told]").replaceChildren(box);
};

// Opens the share when its list is there, and checks that the opening is listed: again and again until it is done.
const openShare = async () => {
  if (sharing || !seals) return;
  sharing = true;
  try {
    for (;;) {
      const done = await share().catch((error) => {
        if (error instanceof Refused) throw error;
        return "later";
      });
      if (SHARE_WORDS[done]) tellShare(SHARE_WORDS[done], done === "elsewhere" ? "problem" : "done");
      if (done !== "later") return;
      await wait(SHARE_MS);
      await renew().catch(() => { /* It is asked again. */ });
    }
  } catch (error) {
    tellShare(error.message, "problem");
    await tell();
  } finally {
    sharing = false;
  }
};

// Keeping the page true ------------------------------------------------------------------------------------------------

const LOOK_MS = 2000;
const HIDDEN_MS = 15000;
let [stands, lost, looking] = [seat.dataset.stands, 0, 0];

// The parts in which a reveal runs, as the server gave them.
const REVEALED = ["last", "board"];
const parts = new Map(REVEALED.map((name) => [name, document.querySelector(`[data-region=${name}]`).outerHTML]));

// Puts a part of the page in the place of the one before; a reveal goes on if nothing else happened. An objection that
// somebody is writing stays as it is, and what was read stays closed.
const takeOver = (region) => {
  const part = region.outerHTML;
  if (parts.get(region.dataset.region) === part) return;
  if (REVEALED.includes(region.dataset.region)) parts.set(region.dataset.region, part);
  const old = document.querySelector(`[data-region="${region.dataset.region}"]`);
  const focus = document.activeElement;
  for (const written of old?.querySelectorAll("li[id]:has(details[open])") ?? []) {
    region.querySelector(`#${CSS.escape(written.id)}`)?.replaceWith(written);
  }
  if (old?.querySelector(".more-alerts[open]")) region.querySelector(".more-alerts")?.setAttribute("open", "");
  for (const read of old?.querySelectorAll("dialog:not([open])") ?? []) {
    region.querySelector(`#${CSS.escape(read.id)}`)?.removeAttribute("open");
  }
  if (region.dataset.region === "late") putAway(region);
  if (region.dataset.region === "umpire") {
    putAway(region);
    const [was, is] = [old, region].map((one) => one?.querySelector("[data-alarm]")?.id);
    if (is && is !== was) ring();
  }
  old?.replaceWith(region);
  if (region.contains(focus)) focus.focus();
};

// What the last round did, as it is read out: without seats' marks, numbers of lines and links to rules.
const happened = () => [...document.querySelectorAll("[data-region=last] :is(h2, .last > .last-moves:not(.last-told) > li, .last:not(:has(.effect)) > .last-told > li, .effect > p)")].map((said) => {
  const words = said.cloneNode(true);
  words.querySelectorAll("[aria-hidden], a").forEach((mark) => mark.remove());
  return words.textContent.replace(/\s+/g, " ").trim().replace(/\.$/, "");
});

// What lies over the table until it is closed. Beside an act, the button that closes it says that the act is left undone.
const tellOver = (label, words, ...acts) => {
  const box = make("dialog", "", "toast notice");
  box.open = true;
  box.ariaLabel = label;
  const close = Object.assign(document.createElement("form"), { method: "dialog" });
  close.append(...acts, make("button", acts.length ? "Do not send" : "OK", "quiet"));
  box.append(words, close);
  document.querySelector("[data-unsent]").replaceChildren(box);
  return box;
};

// What was chosen and not sent when the question closed: it stays in sight, here alone. The player can send it late, for the
// question that it answers: the form is the old one, so it has that question and its own id.
const tellUnsent = (gone, timed, admits) => {
  const form = gone.querySelector("form[data-asked]");
  if (!form || !("dirty" in form.dataset) || "busy" in form.dataset) return;
  const line = form.querySelector(".readback b")?.textContent || form.elements.move.value.trim();
  const labels = () => [...form.querySelectorAll("[data-answer] :checked")].map((input) => (input.closest("label") ?? input).textContent.trim()).filter(Boolean).join(" + ");
  const chosen = (line || labels()).replace(/\.$/, "");
  if (!chosen || form.querySelector(".sent b")?.textContent.includes(chosen)) return;
  const what = make("b", `${gone.querySelector("h2").textContent.split(":")[0]}: not sent: ${chosen}.`);
  const words = make("p", "");
  const late = admits && seals && !limit(form) && !("share" in form.dataset);
  words.append(what, ` ${timed ? "Time was up." : "The round was closed first."} ${late ? "Sent late, it counts only if the umpire admits it." : "Write to the umpire if it should count."}`);
  if (!late) { tellOver("Not sent", words); return; }
  const sends = Object.assign(make("button", "Send it late"), { type: "button" });
  sends.dataset.sendLate = "";
  const box = tellOver("Not sent", words, sends);
  sends.addEventListener("click", async () => {
    for (const button of box.querySelectorAll("button")) button.disabled = true;
    const said = make("output", "", "hint");
    box.append(said);
    await send(form, said);
    box.remove();
  });
};

// A question as the server gave it, but for the id that each form gets anew, and for how things lie by lot.
const served = (section) => {
  const copy = section.cloneNode(true);
  copy.querySelector("[name=submit]")?.setAttribute("value", "");
  const drawn = copy.querySelector("[data-drawn]");
  drawn?.removeAttribute("data-drawn");
  drawn?.querySelector("[data-place-table]").remove();
  return copy.outerHTML;
};
const given = new Map([...seat.querySelectorAll("[data-question]")].map((section) => [section.dataset.question, served(section)]));

// Takes over what changed; a form that somebody is filling in stays as it is while its question stands, and a question that
// did not change is not touched: somebody may be pressing a button of it just now.
const renew = async () => {
  const answer = await fetch(home, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (!answer.ok) throw new Error("the page");
  const timed = Boolean(document.querySelector(".clock[data-deadline]")), table = tableNow();
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page.querySelector("[data-play]");
  if (!next) { location.reload(); return; }
  const questions = (where) => [...where.querySelectorAll("[data-question]")];
  const before = new Map(questions(seat).map((section) => [section.dataset.question, section]));
  const now = questions(next);
  const words = [];
  for (const section of now) {
    const old = before.get(section.dataset.question);
    before.delete(section.dataset.question);
    const [had, has] = [given.get(section.dataset.question), served(section)];
    given.set(section.dataset.question, has);
    old?.toggleAttribute("data-cursor", "cursor" in section.dataset);
    if (old && had === has) continue;
    if (!old) {
      const idle = document.activeElement === document.body || before.size > 0;
      seat.querySelector("[data-questions]").append(document.adoptNode(section));
      words.push(`Your turn: ${section.querySelector("h2").textContent}`);
      ring();
      meet(section);
      if (idle) ready(section);
      continue;
    }
    const form = old.querySelector("form[data-asked]");
    if (form && ("dirty" in form.dataset || "busy" in form.dataset)) {
      // Only what is told about it is renewed.
      const [was, is] = [old, section].map((one) => one.querySelector(".sent"));
      if (was && is) was.replaceWith(is); else if (is) form.querySelector(".said-now").prepend(is);
      const [rule, new_] = [old, section].map((one) => one.querySelector(".ask-rule"));
      if (rule && new_) rule.replaceWith(new_);
    } else {
      const focus = old.contains(document.activeElement) ? document.activeElement.id : "";
      old.replaceWith(document.adoptNode(section));
      meet(section);
      if (focus) document.getElementById(focus)?.focus();
    }
  }
  for (const [, gone] of before) {
    // A correction asks the same again: that is no close, and nothing is late.
    const prompt = gone.querySelector("h2").textContent;
    const again = now.some((section) => section.querySelector("h2").textContent === prompt);
    tellUnsent(gone, timed, !again && !("ended" in next.dataset));
    if (!again) words.push(`Closed: ${prompt}`);
    gone.remove();
  }
  const was = happened().join(), waited = document.querySelector("[data-waits]");
  for (const region of page.querySelectorAll("[data-region]")) takeOver(region);
  tick(announce);
  document.title = page.title;
  if (happened().join() !== was) {
    words.push(...happened());
    reveal(table);
  }
  if (!waited && document.querySelector("[data-waits]")) words.push("Sealed, and waiting for witnesses");
  // What this page told of a late answer goes once the server tells what became of it.
  if (document.querySelector("[data-region=late] .notice")) document.querySelector("[data-late]").replaceChildren();
  Object.assign(seat.dataset, { key: next.dataset.key, stands: next.dataset.stands, shares: next.dataset.shares });
  for (const name of ["ended", "entered", "unsigned"]) if (name in next.dataset) seat.dataset[name] = next.dataset[name];
  stands = next.dataset.stands;
  if (words.length) announce(`${words.join(". ")}.`);
  await tell();
  await receipts();
  void openShare();
};

const look = async () => {
  clearTimeout(looking);
  const from = performance.now();
  try {
    const answer = await fetch(`${home}/stands`, { cache: "no-store" });
    if (answer.status === 401 || answer.status === 404) { location.reload(); return; }
    if (!answer.ok) throw new Error("the server");
    const { now, stands: standing } = await answer.json();
    learn(now / 1000, from, performance.now());
    if (lost > 1) announce("Connected again.");
    if (lost > 0 || signal.dataset.signal === "off") back();
    lost = 0;
    signals(true);
    connection.textContent = "";
    if (standing !== stands) await renew();
  } catch {
    lost += 1;
    if (lost > 1) {
      signals(false);
      connection.textContent = "No connection just now. What was received is kept, and what you send waits here until it can be sent. If the server is down, clocks are extended by that time. This page tries again by itself.";
    }
  }
  if (!("ended" in seat.dataset)) looking = setTimeout(look, document.hidden ? HIDDEN_MS : Math.min(LOOK_MS * (1 + lost), HIDDEN_MS));
};
document.addEventListener("visibilitychange", () => { if (!document.hidden && !("ended" in seat.dataset)) void look(); });
addEventListener("online", () => { back(); void look(); });
addEventListener("offline", () => signals(false));
// Events of one act come together, and one look is enough for them.
let told = 0;
if (!("ended" in seat.dataset)) follow(home, (_name, { match }) => { if (!match) return; clearTimeout(told); told = setTimeout(() => void look(), 30); }, wanted);

// Receipts stay in this browser too: one that the server does not show any more is evidence.
const receipts = async () => {
  const before = await load().catch(() => null);
  if (!before) return;
  const shown = [...document.querySelectorAll("[data-receipt]")].map((item) => item.dataset.receipt);
  const gone = before.receipts.filter((receipt) => !shown.includes(receipt));
  const mine = await alter((now) => { now.receipts = [...new Set([...now.receipts, ...shown])]; });
  document.querySelector("[data-kept]")?.remove();
  if (!mine.receipts.length) return;
  const link = make("a", "Receipts saved in this browser");
  link.href = URL.createObjectURL(new Blob([mine.receipts.join("\n")], { type: "text/plain" }));
  link.download = `matchbook-${place}-receipts.txt`;
  const line = make("p", "", "tools");
  line.dataset.kept = "";
  if (gone.length) {
    line.setAttribute("role", "alert");
    line.append(`The server shows ${gone.length === 1 ? "one receipt" : `${gone.length} receipts`} less than this browser has kept. That is evidence: keep it. `);
  }
  line.append(link);
  document.querySelector("[data-region=receipts]").append(line);
};

// A question on the page: its surface, and its name for what is said of it when it is gone.
const meet = (section) => {
  dress(section);
  for (const drawn of section.querySelectorAll("[data-drawn]")) void readBack(drawn.form);
  for (const one of [section, ...section.querySelectorAll("[data-question]")].filter((one) => one.dataset?.question)) {
    prompts.set(one.dataset.question, one.querySelector("h2").textContent);
  }
};

// Whoever has a keyboard can type at once. On a touch screen nothing takes the focus: a keyboard would cover the table.
const ready = (section) => {
  if (!matchMedia("(min-width: 60rem) and (hover: hover) and (pointer: fine)").matches || location.hash) return;
  const line = section.querySelector("input[name=move]:not([type=hidden])");
  if (line && line.checkVisibility?.()) line.focus({ preventScroll: true });
};

again();
putAway(document);
meet(seat);
ready(seat.querySelector("[data-cursor]") ?? seat);
// What was just received is said once: loaded again, the page is as it stands then.
if (location.search) history.replaceState(null, "", location.pathname + location.hash);
offer();
// The page itself brings the server's clock: what is left is there at once, and not after the first look.
const [came] = performance.getEntriesByType("navigation");
if (came?.transferSize) learn(Number(seat.dataset.now), came.requestStart, came.responseStart);
tick(announce);
setInterval(() => tick(announce), 200);
void look();
void (async () => {
  if (seals) await begin();
  await tell();
  await receipts();
  await resume();
  await openShare();
})();
