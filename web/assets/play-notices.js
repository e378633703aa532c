// What the umpire said and this player has closed stays closed in this browser; what is newer is shown. Each is known by
// the entry of the record that it tells. Without scripts a notice is closed until the page is loaded again.
const { match, seat } = document.querySelector("[data-play]")?.dataset ?? {};
const KEPT = `matchbook.closed.${match}.${seat}`;
const SAID = "dialog[id^=said-]";

const closed = () => { try { return JSON.parse(localStorage.getItem(KEPT)) ?? []; } catch { return []; } };

// The number of those that are folded below the newest one.
const count = (part) => {
  const folded = part.querySelector(".more-alerts");
  if (!folded) return;
  const left = folded.querySelectorAll("dialog[open]").length;
  folded.querySelector("summary").textContent = folded.parentElement.querySelector(":scope > dialog[open]") ? `${left} more` : `${left} from the umpire`;
  folded.hidden = left === 0;
};

// What the umpire said goes by itself once it was in sight and nobody is on it: it is in the list beside the table, too.
// Whoever wants no motion closes it.
const PASS_MS = 5_000;
const pass = (said) => setTimeout(() => {
  if (!said.isConnected || !said.open) return;
  if (document.hidden || said.matches(":hover, :focus-within")) pass(said); else said.close();
}, PASS_MS);

// Puts away what was closed before, in a part of the page that has just come.
export const putAway = (part) => {
  const before = closed();
  for (const said of part.querySelectorAll(SAID)) if (before.includes(said.id)) said.removeAttribute("open");
  count(part);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) for (const said of part.querySelectorAll("dialog.passing[id][open]")) pass(said);
  document.querySelector(".table-alerts").dataset.read = "";
};

// The event of a dialog does not bubble.
document.addEventListener("close", ({ target }) => {
  if (!target.matches(SAID)) return;
  count(document);
  try { localStorage.setItem(KEPT, JSON.stringify([...new Set([...closed(), target.id])])); } catch { /* closed on this page only */ }
}, true);
