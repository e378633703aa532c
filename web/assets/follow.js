// A match's stream of events, for pages that show more than the stream may tell: it says when to look. Without it they look
// from time to time.
const NAMES = ["asked", "clock", "sealed", "resolved", "ruled", "struck", "ended"];
const HIDDEN_MS = 60_000, LONGEST_MS = 60_000;

// A page that nobody looks at leaves its stream after a minute, unless it says that it `waits` for something: a seat whose
// bell is on. The server ends each stream after some time by itself.
export const follow = (address, changed, waits = () => false) => {
  if (!window.EventSource) return;
  let source = null, coming = 0, failed = 0, hidden = 0;
  const leave = () => { source?.close(); source = null; clearTimeout(coming); };
  const soon = (least) => { leave(); coming = setTimeout(come, least * (1 + Math.random())); };
  const come = () => {
    leave();
    source = new EventSource(address);
    let told = false;
    source.addEventListener("open", () => { failed = 0; });
    // A browser comes back by itself, unless it was refused: too many watch from here.
    source.addEventListener("error", () => { if (source?.readyState === EventSource.CLOSED) soon(Math.min(5000 * 2 ** failed++, LONGEST_MS)); });
    source.addEventListener("bye", () => soon(500));
    // The first state is the one that the page was made of, or newer.
    source.addEventListener("now", () => { if (told) changed(); told = true; });
    for (const name of NAMES) source.addEventListener(name, changed);
  };
  document.addEventListener("visibilitychange", () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(() => { if (!waits()) leave(); }, HIDDEN_MS);
    else if (!source) come();
  });
  addEventListener("pagehide", leave);
  addEventListener("pageshow", (event) => { if (event.persisted) come(); });
  come();
};
