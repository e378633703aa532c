// Running matches on the first page: each board follows its match's stream. Without this script a board shows the moment
// at which the page was made, with its time.
"use strict";
(() => {
  if (!window.EventSource) return;
  const boards = [...document.querySelectorAll("[data-events]")];
  let sources = [];

  const follow = (board) => {
    const source = new EventSource(`${board.dataset.events}?after=${board.dataset.entry}`);
    source.addEventListener("now", (message) => {
      const state = JSON.parse(message.data);
      if (state.entry < Number(board.dataset.entry)) return;
      board.dataset.entry = state.entry;
      const image = board.querySelector("img");
      image.src = `${image.getAttribute("src").split("?")[0]}?head=${state.entry}`;
      const time = document.createElement("time");
      time.dateTime = state.time;
      time.textContent = `${state.time.slice(11, 16)} UTC`;
      board.querySelector("[data-at]").replaceChildren(time);
    });
    return source;
  };
  const leave = () => { for (const source of sources) source.close(); sources = []; };
  const come = () => { leave(); sources = boards.map(follow); };

  // A page that nobody looks at holds no connection.
  document.addEventListener("visibilitychange", () => document.hidden ? leave() : come());
  addEventListener("pagehide", leave);
  if (!document.hidden) come();
})();
