// Checks a match in this browser, with the module that is made of the server's own code (verifier/), and shows each
// finding as it is found. The page of a check and the file that works without us both use it.
// The module's memory is all that is shared with it: text is written where room() says, and read where said() says.
"use strict";
const matchbook = (() => {
  const write = new TextEncoder(), read = new TextDecoder();

  // Writes bytes into a module's memory. Making room may move the memory, so that comes first.
  const put = (own, bytes) => {
    const place = own.room(bytes.length);
    new Uint8Array(own.memory.buffer, place, bytes.length).set(bytes);
  };

  // A bundle that is being checked: next() is one message, moment(n) a row of the score sheet. `said` keeps every
  // message as it came, so that a test can compare it.
  const check = (module, bundle, policy) => {
    const own = module.instance?.exports ?? module.exports;
    const rules = write.encode(policy);
    const whole = new Uint8Array(bundle.length + rules.length);
    whole.set(bundle);
    whole.set(rules, bundle.length);
    put(own, whole);
    own.start(bundle.length);
    const text = (length) => length ? read.decode(new Uint8Array(own.memory.buffer, own.said(), length)) : null;
    const said = [];
    return {
      said,
      next: () => {
        const message = text(own.next());
        if (message !== null) said.push(message);
        return message === null ? null : JSON.parse(message);
      },
      moment: (row) => JSON.parse(text(own.moment(row)) ?? "null"),
      // The rounds of a beacon, each as the line that the beacon's module reads.
      rounds: () => (text(own.rounds()) ?? "").split("\n").filter(Boolean),
      checked: (results) => {
        put(own, results);
        own.checked();
      },
    };
  };

  // Checks the rounds of a match with a beacon. The curve is a module of its own, which load() brings only then.
  const beacon = async (checking, load) => {
    const rounds = checking.rounds();
    if (!rounds.length) return;
    const module = await load(), own = module.instance?.exports ?? module.exports;
    checking.checked(rounds.map((line) => {
      put(own, write.encode(line));
      return own.signed();
    }));
  };

  // make("p", { class: "hint" }, "text", another element, [a list]): what is null or undefined is left out.
  const make = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes ?? {})) if (value !== null && value !== undefined) made.setAttribute(key, value);
    made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return made;
  };

  const rule = (number) => make("small", { class: "rule" }, `rule ${number}`);

  const place = (place, links) => make("li", null,
    place.wrong ? make("b", null, place.text) : place.text, " ", rule(place.rule),
    place.entry === null ? null : [", ", make("a", { href: links.entry(place.entry) }, `entry ${place.entry}`)],
    place.round === null || !links.round(place.round) ? null : [", ", make("a", { href: links.round(place.round) }, `round ${place.round}`)],
    place.expected === null && place.found === null ? null : make("dl", { class: "facts" },
      place.expected === null ? null : [make("dt", null, "Expected"), make("dd", { class: "hash" }, place.expected)],
      place.found === null ? null : [make("dt", null, "Found"), make("dd", { class: "hash" }, place.found)]));

  const finding = (found, links) => make("li", { class: "finding", "data-state": found.state, "data-finding": `${found.title} ${found.status}` },
    make("details", found.state === "failed" ? { open: "" } : null,
      make("summary", null, make("h3", null, found.title), " ", make("span", { "data-verdict": found.state }, found.status)),
      make("div", null,
        make("p", null, found.summary, found.rules.map((number) => [" ", rule(number)])),
        found.places.length ? make("ul", { class: "places" }, found.places.map((one) => place(one, links))) : null)));

  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const stamp = (verdict) => make("span", { class: "stamp", "data-verdict": verdict.state }, capital(verdict.text));

  // Lets the page draw what was found so far, when a frame's time has gone by.
  let drawn = 0;
  const pause = async () => {
    if (performance.now() - drawn < 16) return;
    await new Promise((done) => setTimeout(done, 0));
    drawn = performance.now();
  };

  // Runs a check from its first message to its verdict; null where there is none. `show` has a list for the findings, an
  // output for what is going on, and a progress bar.
  const run = async (checking, first, show, links) => {
    for (let message = first; message; message = checking.next()) {
      if (message.say === "unreadable") {
        show.told.textContent = `It cannot be checked: ${message.why}.`;
        return null;
      } else if (message.say === "match") {
        show.bar.max = message.rows + 9;
        show.told.textContent = `Looking at ${message.entries} entries.`;
      } else if (message.say === "round") {
        show.told.textContent = message.replayed ? `Round ${message.label} was played again by the engine.` : `Round ${message.label} holds values that are still sealed.`;
      } else if (message.say === "finding") {
        show.list.append(finding(message, links));
        await pause();
      } else if (message.say === "verdict") {
        show.bar.value = show.bar.max;
        return message;
      }
      show.bar.value += 1;
    }
    return null;
  };

  return { check, beacon, run, make, stamp };
})();

// The page of a check: <section id="here" hidden data-bundle data-match data-policy> with a button, a bar and a list.
(() => {
  const here = document.getElementById("here");
  if (!here?.dataset.bundle) return;
  if (typeof WebAssembly === "undefined") return here.classList.remove("scripted");
  const [button, told, bar, list, seal] = ["button", "output", "progress", "ol", ".own-verdict"].map((css) => here.querySelector(css));
  here.hidden = false;
  const links = {
    entry: (entry) => `#e${entry}`,
    round: (round) => document.querySelector(`[data-rounds~="${round}"]`) ? `${here.dataset.match}/r/${round}/after` : null,
  };

  const get = async (address) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`);
    return answer;
  };

  button.addEventListener("click", async () => {
    button.disabled = true;
    bar.hidden = false;
    bar.value = 0;
    list.replaceChildren();
    seal.replaceChildren();
    told.textContent = "Fetching the verifier and the bundle.";
    try {
      const [module, bundle] = await Promise.all([
        WebAssembly.instantiateStreaming(get("/assets/verifier.wasm"), {}),
        get(here.dataset.bundle).then((answer) => answer.arrayBuffer()),
      ]);
      const begun = performance.now();
      here.checking = matchbook.check(module, new Uint8Array(bundle), here.dataset.policy ?? "");
      await matchbook.beacon(here.checking, () => WebAssembly.instantiateStreaming(get("/assets/beacon.wasm"), {}));
      const opening = here.checking.next();
      const verdict = await matchbook.run(here.checking, opening, { told, bar, list }, links);
      if (verdict) {
        seal.append(matchbook.stamp(verdict));
        told.textContent = `Checked here in ${Math.ceil(performance.now() - begun)} ms. ${agreement(opening)}`;
      }
    } catch (error) {
      told.textContent = `This browser could not check it: ${error.message}.`;
    }
    bar.hidden = true;
    button.disabled = false;
  });

  // Whether the server said the same of every finding.
  const agreement = (opening) => {
    const told = (list) => [...list.children].map((item) => item.dataset.finding);
    const [theirs, ours] = [told(document.getElementById("server-findings")), told(list)];
    const other = ours.map((line, n) => line === theirs[n] ? null : n + 1).filter((n) => n !== null);
    if (opening.head !== here.dataset.head) return "The match has gone on since this page was made: load it again to compare.";
    if (other.length === 0 && ours.length === theirs.length) return "Every finding comes out as the server says.";
    return `The server says otherwise in finding ${other.join(", ")}: believe what was found here.`;
  };
})();
