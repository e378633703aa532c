// Running matches on the first page: each board follows its match. Without this script a board shows the moment at which the
// page was made, with its time.
import { follow } from "./follow.js";

for (const board of document.querySelectorAll("[data-events]")) follow(board.dataset.events, (name, state) => {
  if (name !== "now") return;
  const image = board.querySelector("img");
  image.src = `${image.getAttribute("src").split("?")[0]}?head=${state.entry}`;
  const time = document.createElement("time");
  time.dateTime = state.time;
  time.textContent = `${state.time.slice(11, 16)} UTC`;
  board.querySelector("[data-at]").replaceChildren(time);
}, undefined, Number(board.dataset.entry));
