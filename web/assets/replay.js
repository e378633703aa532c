// The moments of a match, one after the other without loading a page anew: by its links and keys, by a slider, and by
// itself. Every moment is a page of its own; this script fetches it, and puts its main part in place of the old one.
"use strict";
(() => {
  const bar = document.querySelector("[data-replay]"), main = document.querySelector("main");
  if (!bar || !main) return;
  const play = bar.querySelector("[data-play]"), pace = bar.querySelector("[data-pace]"), turn = bar.querySelector("[data-turn]");
  const scrub = main.querySelector("[data-scrub]"), help = bar.querySelector("dialog"), said = bar.querySelector("[data-said]");
  const MOMENT = /^(\/m\/[^/]+(?:\/struck\/\d+)?\/r\/)([^/]+)\/(before|choices|after|act-\d+)$/;
  const KEPT = 12, LONGEST_MS = 180_000, LOOKED_MS = { before: 1000 }, READ_MS = 3500, SIDE = "matchbook.side", VEIL = "matchbook.veil";
  const stage = main.querySelector(".moment");
  // What happened needs this much below a table that stays in sight.
  const TOLD_PX = 160;
  let timer = 0, asked = 0;

  // Pages that were fetched, the newest last; the next one is fetched before it is needed.
  const pages = new Map();
  const page = (address) => {
    const kept = pages.get(address) ?? fetch(address, { headers: { accept: "text/html" } })
      .then((answer) => { if (!answer.ok) throw new Error(answer.statusText); return answer.text(); });
    pages.delete(address);
    pages.set(address, kept);
    kept.catch(() => pages.delete(address));
    if (pages.size > KEPT) pages.delete(pages.keys().next().value);
    return kept;
  };

  const way = (rel) => main.querySelector(`a[rel~=${rel}]`)?.href;
  const moment = (address) => {
    const url = new URL(address, location.href), parts = MOMENT.exec(url.pathname);
    return url.origin === location.origin && parts ? { url, base: parts[1], row: parts[2], beat: parts[3], hides: url.searchParams.get("spoilers") } : null;
  };
  const named = (at) => `Round ${decodeURIComponent(at.row)}, ${at.beat.replace("-", " ")}`;

  // The slider counts the moments at which one stops: one for each round, more where a round has several acts.
  let all = [];
  const settle = () => {
    const links = [...main.querySelectorAll("[data-rounds] a")];
    all = links.flatMap((link) => (link.dataset.beats ?? "after").split(" ").map((beat) => link.href.replace(/[^/?]+(?=\?|$)/, beat)));
    if (scrub) {
      const path = (address) => new URL(address).pathname, row = (address) => path(address).replace(/[^/]+$/, "");
      const at = all.findIndex((address) => path(address) === location.pathname);
      scrub.max = Math.max(0, all.length - 1);
      scrub.value = Math.max(0, at < 0 ? all.findIndex((address) => row(address) === row(location.href)) : at);
      scrub.setAttribute("aria-valuetext", words());
    }
    const list = main.querySelector(".rounds"), now = list?.querySelector("[aria-current]");
    if (now) list.scrollTop = now.offsetTop - list.clientHeight / 2;
    if (scrub) stage.style.setProperty("--at", `${(100 * (Number(scrub.value) + 1)) / all.length}%`);
    rest();
    pin();
    if (way("next")) page(way("next"));
  };
  // Two halves of each card that failed; the style sheet moves them apart.
  const tear = () => {
    for (const card of stage.querySelectorAll(".moved .played-card:is([data-fate=failed], [data-fate=blocked], [data-fate=cancelled])")) {
      const [torn, half] = [document.createElement("span"), card.cloneNode(true)];
      torn.className = "torn";
      half.ariaHidden = "true";
      card.replaceWith(torn);
      torn.append(card, half);
    }
  };
  const pin = () => {
    const [board, foot] = [".stage-board", ".stage-bar"].map((css) => stage.querySelector(css).offsetHeight);
    stage.toggleAttribute("data-pinned", board + foot + TOLD_PX <= innerHeight);
  };
  // What is unfolded is read above the bar.
  main.addEventListener("toggle", ({ target }) => { if (target.open && target.matches(".why")) target.scrollIntoView({ block: "nearest" }); }, true);
  const words = () => document.title.split(":")[0];

  const show = async (address, keep) => {
    const mine = ++asked;
    let text;
    try { text = await page(address); } catch { location.href = address; return; }
    if (mine !== asked) return;
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const parts = [...main.querySelectorAll("[data-part]")].map((part) => [part, fresh.querySelector(`main [data-part="${part.dataset.part}"]`)]);
    if (parts.some(([, next]) => !next)) { location.href = address; return; }
    if (keep) history[keep](null, "", address);
    const focus = document.activeElement;
    // Many links share an address: in a row of beats, of rounds or of whose knowledge the place is that of the moment shown.
    const row = ["beats", "rounds", "whose"].find((name) => focus?.closest?.(`main .${name}`));
    const names = focus?.closest?.("main a") ? ["rel", "data-key", "href"].filter((name) => focus.getAttribute(name)) : [];
    const finds = row ? [`.${row} [aria-current]`] : names.map((name) => `a[${name}="${CSS.escape(focus.getAttribute(name))}"]:not([tabindex])`);
    // One step on is shown as it happens: with new cards that turn up.
    stage.classList.toggle("is-new", address === way("next"));
    // The controls stay in the document: a slider that leaves it, if only for a moment, is no longer held by the mouse.
    // The parts are new, so that nothing on the page counts as moved.
    for (const [part, next] of parts) part.replaceWith(next);
    tear();
    main.querySelector("[data-wait]")?.setAttribute("data-wait", fresh.querySelector("main [data-wait]")?.dataset.wait ?? "0");
    document.title = fresh.title;
    for (const rel of ["canonical", "prev", "next"]) {
      document.head.querySelector(`link[rel=${rel}]`)?.remove();
      const link = fresh.head.querySelector(`link[rel=${rel}]`);
      if (link) document.head.append(link);
    }
    if (finds.length && !focus.isConnected) (finds.map((find) => main.querySelector(find)).find(Boolean) ?? main.querySelector(".beats [aria-current]"))?.focus({ preventScroll: true });
    document.dispatchEvent(new Event("matchbook:shown"));
    said.textContent = words();
    settle();
  };

  // Where nothing comes next it begins again.
  const rest = () => { if (!timer) play.textContent = way("next") ? "Play" : "Again"; };
  // It plays by itself until the end, or until somebody does something.
  const stop = () => { clearTimeout(timer); timer = 0; play.setAttribute("aria-pressed", "false"); rest(); };
  const wait = () => {
    const real = Number(main.querySelector("[data-wait]")?.dataset.wait ?? 0);
    if (pace.value === "real") return Math.min(Math.max(real, 500), LONGEST_MS);
    // What happened is read; what was there before is looked at.
    return (LOOKED_MS[moment(location.href)?.beat] ?? READ_MS) / Number(pace.value);
  };
  const go = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const next = way("next"), mine = timer;
      if (next) await show(next, "replaceState");
      if (timer !== mine) return;
      if (way("next")) go(); else stop();
    }, wait());
  };
  const toggle = async () => {
    if (timer) return stop();
    if (!way("next") && all[0]) await show(all[0], "replaceState");
    if (!way("next") || timer) return;
    play.textContent = "Stop";
    play.setAttribute("aria-pressed", "true");
    go();
  };

  play.addEventListener("click", toggle);
  // The next moment has comments of its own: what is typed here would be gone.
  main.addEventListener("focusin", ({ target }) => { if (target.closest("#comments")) stop(); });
  pace.addEventListener("change", () => { if (timer) go(); });
  // Which seat is on the left is kept for all matches.
  const side = (swapped) => { document.documentElement.toggleAttribute("data-swapped", swapped); turn.setAttribute("aria-pressed", String(swapped)); };
  const swap = () => {
    side(turn.getAttribute("aria-pressed") !== "true");
    try { localStorage.setItem(SIDE, turn.getAttribute("aria-pressed")); } catch { /* not kept: this page only */ }
  };
  try { side(localStorage.getItem(SIDE) === "true"); } catch { /* as it comes */ }
  turn.addEventListener("click", swap);
  bar.querySelector("[data-help]").addEventListener("click", () => help.showModal());
  // What comes after is hidden from somebody who came for the start; that is kept, too.
  const veil = (on) => { stage.toggleAttribute("data-veiled", on); try { localStorage.setItem(VEIL, String(on)); } catch { /* not kept */ } };
  try { stage.toggleAttribute("data-veiled", localStorage.getItem(VEIL) === "true"); } catch { /* as it comes */ }
  let sliding = 0;
  scrub?.addEventListener("input", () => {
    stop();
    clearTimeout(sliding);
    const to = all[Number(scrub.value)], at = to && moment(to);
    if (at) scrub.setAttribute("aria-valuetext", named(at));
    sliding = setTimeout(() => { if (to) show(to, "replaceState"); }, 60);
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !main.contains(link)) return;
    const here = moment(location.href), to = moment(link.getAttribute("href"));
    if (!here || !to || to.base !== here.base || to.hides !== here.hides) return;
    event.preventDefault();
    stop();
    show(to.url.href, "pushState");
  });
  document.addEventListener("keydown", (event) => {
    const typed = event.key.length === 1 && event.getModifierState("AltGraph");
    if (document.documentElement.hasAttribute("data-keys-off") || (!typed && (event.altKey || event.ctrlKey)) || event.metaKey || event.isComposing || help.open) return;
    if (event.target.closest("input:not([type=range]), textarea, select, [contenteditable]")) return;
    if (event.key === "s") swap();
    if (event.key === "h") veil(!stage.hasAttribute("data-veiled"));
    if (event.key === "?") { event.preventDefault(); help.showModal(); }
    if (event.key === " " && !event.shiftKey && !event.target.closest("button, summary, .scroll")) { event.preventDefault(); toggle(); }
  });
  addEventListener("resize", pin);
  addEventListener("popstate", () => { stop(); show(location.href, null); });

  for (const hidden of [...bar.querySelectorAll(":scope > [hidden]"), ...main.querySelectorAll(".scrub")]) hidden.hidden = false;
  tear();
  settle();
})();
