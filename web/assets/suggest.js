// Names while somebody types in a field with data-suggest: a list that the browser shows, with its own keys and its own words
// for screen readers. Without this script the same search finds the same.
"use strict";
(() => {
  const PAUSE_MS = 150;
  let lists = 0;
  for (const field of document.querySelectorAll("input[data-suggest]")) {
    const list = document.createElement("datalist");
    list.id = `suggested-${lists++}`;
    let asked = "", waits = 0;
    const show = (names) => list.replaceChildren(...names.map((known) => {
      const option = document.createElement("option");
      option.value = known.name;
      if (!field.dataset.suggest) option.label = `${known.name} (${known.kind})`;
      return option;
    }));
    const ask = async () => {
      const words = field.value.trim();
      if (words === asked) return;
      asked = words;
      if (!words) return show([]);
      const query = new URLSearchParams({ q: words, ...(field.dataset.suggest ? { kind: field.dataset.suggest } : {}) });
      try {
        const answer = await fetch(`/suggest.json?${query}`);
        if (answer.ok && words === asked) show((await answer.json()).names);
      } catch { /* no connection: the search itself says so */ }
    };
    field.addEventListener("input", () => {
      // The field has its list from the first letter on: an empty list would open for nothing.
      if (!list.isConnected) { field.after(list); field.setAttribute("list", list.id); }
      clearTimeout(waits);
      waits = setTimeout(ask, PAUSE_MS);
    });
  }
})();
