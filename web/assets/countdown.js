// The time until the next match of an event, in words. Without this script the page says when it begins.
const units = [["day", 86400], ["h", 3600], ["min", 60]];
for (const shown of document.querySelectorAll("[data-countdown]")) {
  const time = shown.querySelector("time");
  const begins = Date.parse(time.dateTime);
  const tick = () => {
    let left = Math.floor((begins - Date.now()) / 1000);
    if (left < 60) { shown.textContent = left > -3600 ? "Now" : ""; return; }
    const parts = [];
    for (const [unit, seconds] of units) {
      const n = Math.floor(left / seconds);
      left -= n * seconds;
      if (n > 0 && parts.length < 2) parts.push(`${n} ${unit}${unit === "day" && n > 1 ? "s" : ""}`);
    }
    shown.textContent = parts.join(" ");
    setTimeout(tick, 20000);
  };
  if (!Number.isNaN(begins)) tick();
}
