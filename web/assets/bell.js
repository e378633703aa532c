// A short tone, and for a seat that wants it a tone and a vibration when it is its turn. Kept in this browser alone.
const WANTED = "matchbook.bell";

export const tone = () => {
  try {
    const audio = new AudioContext();
    const beep = audio.createOscillator();
    beep.connect(audio.destination);
    beep.onended = () => audio.close();
    beep.start();
    beep.stop(audio.currentTime + 0.4);
  } catch { /* Without sound the page still says it. */ }
};

export const wanted = () => { try { return localStorage.getItem(WANTED) === "1"; } catch { return false; } };

export const ring = () => {
  if (!wanted()) return;
  tone();
  navigator.vibrate?.(300);
};

// The box that turns it on; it rings once, so that one hears what was chosen.
export const offer = () => {
  const box = document.querySelector("[data-bell]");
  if (!box) return;
  box.checked = wanted();
  box.closest("[hidden]")?.removeAttribute("hidden");
  box.addEventListener("change", () => {
    try { localStorage.setItem(WANTED, box.checked ? "1" : "0"); } catch { /* not kept: there is no bell */ }
    ring();
  });
};
