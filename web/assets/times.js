// Says times in the reader's own zone. Without this script they stand in UTC, and so does whatever says no "UTC".
// The text tells how exact a time is; what it was stays in its title, and the machine's form is never touched.
"use strict";
(() => {
  const SAID = /^(\d{1,2} \p{L}+ \d{4}, )?\d\d:\d\d(:\d\d)? UTC$/u;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
  const forms = new Map();
  const form = (day, second) => {
    const key = `${day} ${second}`;
    if (!forms.has(key)) {
      forms.set(key, new Intl.DateTimeFormat(language, {
        ...(day ? { day: "numeric", month: "short", year: "numeric" } : {}),
        hour: "2-digit", minute: "2-digit", ...(second ? { second: "2-digit" } : {}), timeZoneName: "short" }));
    }
    return forms.get(key);
  };

  const localize = (time) => {
    const said = time.textContent.trim(), parts = SAID.exec(said), at = new Date(time.dateTime);
    if (!parts || Number.isNaN(at.valueOf())) return;
    time.title = said;
    time.textContent = form(parts[1], parts[2]).format(at);
  };
  const within = (node) => { for (const time of node.querySelectorAll("time[datetime]")) localize(time); };

  // A reader in UTC reads what is there.
  if (!zone || /^(Etc\/)?(UTC|UCT|GMT|Universal|Zulu)$/.test(zone)) return;
  within(document);
  // Pages that follow a match are given new parts.
  new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) {
      if (node.nodeType === Node.ELEMENT_NODE) node.matches("time[datetime]") ? localize(node) : within(node);
    }
  }).observe(document.body, { childList: true, subtree: true });
})();
