// Small comforts for the public pages; every page works without them.
// Keys follow links that are on the page anyway: left and right the links rel=prev and rel=next,
// [ ] Home End the links that name their key in data-key. A switch turns the keys off (WCAG 2.1.4).
// Who puts a new piece of a page in its place says so with the event "matchbook:shown".
"use strict";
(() => {
  const OFF = "matchbook.keys.off";
  const kept = { get: () => { try { return localStorage.getItem(OFF) === "1"; } catch { return false; } },
                 set: (off) => { try { localStorage.setItem(OFF, off ? "1" : "0"); } catch { /* not kept: this page only */ } } };
  const root = document.documentElement;
  root.toggleAttribute("data-keys-off", kept.get());

  const link = (key) => key === "ArrowLeft" ? document.querySelector("a[rel~=prev]")
    : key === "ArrowRight" ? document.querySelector("a[rel~=next]")
    : key === "[" || key === "]" || key === "Home" || key === "End" ? document.querySelector(`a[data-key~="${key}"]`)
    : null;

  document.addEventListener("keydown", (event) => {
    if (root.hasAttribute("data-keys-off") || event.defaultPrevented || event.metaKey || event.isComposing) return;
    // Brackets take AltGr on many keyboards, which Windows calls Control with Alt, and a Mac's take Option.
    const bracket = (event.key === "[" || event.key === "]") && (event.getModifierState("AltGraph") || !event.ctrlKey);
    if (!bracket && (event.altKey || event.ctrlKey || event.shiftKey)) return;
    // Fields, and regions that scroll by themselves, keep their own keys.
    if (event.target.closest("input, textarea, select, dialog, [contenteditable], .scroll")) return;
    const to = link(event.key);
    if (to) { event.preventDefault(); to.click(); }
  });

  // <button data-copy="text" hidden>, or without a value: this page's canonical address. An <output> after it says so.
  const copy = async (button) => {
    const from = document.getElementById(button.dataset.from ?? "");
    const text = button.dataset.copy || from?.textContent || document.querySelector("link[rel=canonical]")?.href || location.href;
    const said = button.parentElement.querySelector("output");
    try { await navigator.clipboard.writeText(text); if (said) said.textContent = "Copied."; }
    catch { if (said) said.textContent = from ? "Could not copy; please select it." : "Could not copy; please copy the address bar."; }
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-copy]");
    if (button) copy(button);
  });
  // One more, or one less, of the number between the buttons.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-step]");
    const field = button?.parentElement.querySelector("input");
    if (!field) return;
    if (button.dataset.step > 0) field.stepUp(); else field.stepDown();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  document.addEventListener("change", (event) => {
    if (!event.target.matches("input[data-keys]")) return;
    root.toggleAttribute("data-keys-off", !event.target.checked);
    kept.set(!event.target.checked);
  });

  // Lists of matches as rows, or as cards.
  const CARDS = "matchbook.cards";
  const box = document.querySelector("[data-cards-switch] input");
  const cards = (on) => root.toggleAttribute("data-cards", on);
  try { cards(box !== null && localStorage.getItem(CARDS) === "1"); } catch { /* rows */ }
  if (box) {
    box.checked = root.hasAttribute("data-cards");
    box.parentElement.hidden = false;
    box.addEventListener("change", () => { cards(box.checked); try { localStorage.setItem(CARDS, box.checked ? "1" : "0"); } catch { /* not kept */ } });
  }

  const prepare = () => {
    for (const box of document.querySelectorAll("input[data-keys]")) {
      box.checked = !root.hasAttribute("data-keys-off");
      box.closest("[hidden]")?.removeAttribute("hidden");
    }
    for (const button of navigator.clipboard ? document.querySelectorAll("button[data-copy]") : []) button.hidden = false;
  };
  prepare();
  document.addEventListener("matchbook:shown", prepare);
})();
