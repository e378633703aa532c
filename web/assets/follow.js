// The events of matches, for pages that follow them. A browser has few connections to a site, and may have many pages: one
// stream, in a worker that they share, serves all of them. Where browsers have no such worker, each page has a stream of its
// own while somebody looks at it. Pages that must miss nothing look from time to time as well.
const NAMES = ["now", "asked", "clock", "sealed", "resolved", "ruled", "struck", "ended", "sent"];
const CHANGED_MS = 50, AGAIN_MS = 3_000, LONGEST_MS = 60_000;

// One stream of what its readers follow. The server ends each stream after some time by itself.
const stream = () => {
  // With the entry of the last state that each was told.
  const readers = new Map();
  let source = null, coming = 0, failed = 0;
  const leave = () => { source?.close(); source = null; clearTimeout(coming); };
  const change = () => { clearTimeout(coming); coming = setTimeout(come, CHANGED_MS); };
  const soon = (least) => { leave(); coming = setTimeout(come, least * (1 + Math.random())); };
  const tell = (name, data) => {
    for (const [reader, shown] of [...readers]) {
      if (data.match && data.match !== reader.match) continue;
      if (name === "now") readers.set(reader, Math.max(shown, data.entry));
      reader.tell(name, data);
    }
  };
  const come = () => {
    leave();
    const known = new Map();
    for (const [{ match }, shown] of readers) known.set(match, Math.min(shown, known.get(match) ?? shown));
    if (!known.size) return;
    source = new EventSource(`/live/events?of=${[...known].map(([match, shown]) => shown < 0 ? match : `${match}.${shown}`)}`);
    source.onopen = () => { failed = 0; tell("open", {}); };
    source.onerror = () => { soon(Math.min(AGAIN_MS * 2 ** failed++, LONGEST_MS)); tell("lost", {}); };
    // Everybody is sent away at once; they come back one after the other.
    source.addEventListener("bye", () => soon(500));
    for (const name of ["time", ...NAMES]) source.addEventListener(name, (message) => tell(name, JSON.parse(message.data)));
  };
  return {
    add: (reader) => { readers.set(reader, reader.shown); change(); },
    drop: (reader) => {
      readers.delete(reader);
      if (!readers.size) leave(); else if (![...readers.keys()].some(({ match }) => match === reader.match)) change();
    },
  };
};

// The same in the worker.
const remote = () => {
  const readers = new Map();
  const worker = new SharedWorker("/assets/follow.js", { type: "module" });
  let last = 0;
  worker.port.onmessage = ({ data: { id, name, data } }) => readers.get(id)?.tell(name, data);
  // It cannot be started here.
  worker.onerror = () => { all = stream(); for (const reader of readers.values()) all.add(reader); readers.clear(); };
  return {
    add: (reader) => { reader.id = ++last; readers.set(last, reader); worker.port.postMessage({ id: last, match: reader.match, shown: reader.shown }); },
    drop: ({ id }) => { readers.delete(id); worker.port.postMessage({ id }); },
  };
};

let all = null;
if ("SharedWorkerGlobalScope" in self) {
  all = stream();
  addEventListener("connect", ({ ports: [port] }) => {
    const own = new Map();
    port.onmessage = ({ data: { id, match, shown } }) => {
      if (!match) { all.drop(own.get(id)); own.delete(id); return; }
      own.set(id, { match, shown, tell: (name, data) => port.postMessage({ id, name, data }) });
      all.add(own.get(id));
    };
  });
}

// Follows the match that an address names, and hears of each event once: its name and its data, with `match` if it is one of
// the match. `after` is the last entry that the page shows; without it the first state is the one that the page was made of.
// A page that nobody looks at leaves the stream, unless it `waits` for something: a seat whose bell is on. Returns what ends it.
export const follow = (address, hear, waits = () => false, after = -1) => {
  const [, match] = /\/m\/(\w+)/.exec(address) ?? [];
  if (!match || !window.EventSource) return () => {};
  all ??= "SharedWorker" in window ? remote() : stream();
  let here = false, ended = false;
  const reader = { match, shown: after, entry: after, tell: (name, data) => {
    if (!here) return;
    // That something was sent is for the umpire's pages alone, in whatever browser they are.
    if (name === "sent") { if (address.startsWith("/umpire/")) hear(name, data); return; }
    if (data.match) {
      const known = name === "now" ? "shown" : "entry", before = reader[known];
      if (data.entry <= before) return;
      reader[known] = data.entry;
      if (name === "now" && before < 0) return;
    }
    hear(name, data);
  } };
  const leave = () => { if (here) all.drop(reader); here = false; };
  const come = () => { if (here || ended) return; here = true; all.add(reader); };
  document.addEventListener("visibilitychange", () => { if (!document.hidden) come(); else if (!waits()) leave(); });
  addEventListener("pagehide", leave);
  addEventListener("pageshow", come);
  if (!document.hidden || waits()) come();
  return () => { ended = true; leave(); };
};
