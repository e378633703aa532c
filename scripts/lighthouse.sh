#!/bin/sh
# What Lighthouse says of the main pages: accessibility, best practices, search engines and performance, as on a slow phone
# (its own default), and how many bytes a page and its scripts are when they are transferred. Each page is loaded several
# times, and the medians are printed: a single load on a busy machine says little.
# For whoever changes a page. Needs npm (it fetches lighthouse, in a folder of its own) and Chromium; serves the demo itself.
#   scripts/lighthouse.sh [ADDRESS]     a site that is served already; else the demo
#   BUILT=target/release  WORK=/tmp/lighthouse  RUNS=5
set -eu
cd "$(dirname "$0")/.."
runs=${RUNS:-5}
built=${BUILT:-${CARGO_TARGET_DIR:-target}/release}
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
server=
stop() { [ -z "$server" ] || kill "$server"; }
trap stop EXIT INT TERM
[ -d "$work/node_modules/lighthouse" ] || npm install --silent --no-audit --no-fund --prefix "$work" lighthouse@13.5.0
site=${1:-}
if [ -z "$site" ]; then
    site=http://127.0.0.1:8191
    MATCHBOOK_DATA_DIR="$work/data" MATCHBOOK_CHECKPOINT_FILE="$work/checkpoint" \
        "$built/matchbook" serve --demo --listen 127.0.0.1:8191 >"$work/log" 2>&1 &
    server=$!
    until curl -sf "$site/" >/dev/null; do sleep 1; done
    sleep 5
fi
# The longest finished match, and one that is being played.
over=$(curl -s "$site/archive.csv?game=five-card-trick&result=won&rounds_min=25" | grep -o '/m/[a-z0-9]*' | head -1)
live=$(curl -s "$site/archive.csv?result=running" | grep -o '/m/[a-z0-9]*' | head -1)
cat >"$work/told.js" <<'JS'
const { readFileSync } = require("fs");
const [path, ...files] = process.argv.slice(2);
const loads = files.map((file) => JSON.parse(readFileSync(file, "utf8")));
const median = (of) => {
  const sorted = loads.map(of).sort((one, other) => one - other), half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};
const score = (name) => Math.round(median(({ categories }) => 100 * (categories[name]?.score ?? 0)));
const number = (id) => median(({ audits }) => audits[id]?.numericValue ?? 0);
const kb = (kept) => median(({ audits }) => audits["network-requests"].details.items.filter(kept).reduce((sum, one) => sum + one.transferSize, 0) / 1000).toFixed(1);
const scripts = (one) => one.resourceType === "Script", verifier = (one) => one.url.endsWith(".wasm");
console.log(`| ${path} | ${score("accessibility")} | ${score("best-practices")} | ${score("seo")} | ${score("performance")} | ` +
  `${Math.round(number("first-contentful-paint"))} ms | ${number("cumulative-layout-shift").toFixed(3)} | ` +
  `${kb((one) => !verifier(one))} kB | ${kb(scripts)} kB | ${loads.length} |`);
// A fault in any load is a fault.
const faults = loads.flatMap(({ categories, audits }) => Object.entries(audits).filter(([id, audit]) =>
  audit.score !== null && audit.score < 1 && ["accessibility", "best-practices", "seo"].some((name) =>
    categories[name].auditRefs.some((ref) => ref.id === id && ref.weight))).map(([id, audit]) => `${id}: ${audit.title}`));
for (const fault of new Set(faults)) console.log(`  ${path}: ${fault}`);
JS
player=$(curl -s "$site/players" | grep -o '"/players/[^"?]*"' | tr -d '"' | head -1)
echo '| page | accessibility | best practices | SEO | performance | first paint | layout shift | transferred | scripts | loads |'
echo '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|'
flags='--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'
for path in / /archive "$over" "$over/r/20/after" "$over/verify" "$over/guess/p1" "$player" "$player/prepare" \
    /rules/five-card-trick/dm-colosseum-2 "$live/live"; do
    rm -f "$work"/told-*.json
    for load in $(seq "$runs"); do
        CHROME_PATH=${CHROME_PATH:-$(command -v chromium)} "$work/node_modules/.bin/lighthouse" "$site$path" --quiet \
            --chrome-flags="$flags" --output=json --output-path="$work/told-$load.json" --max-wait-for-load=30000 \
            2>"$work/said" || cat "$work/said"
    done
    node "$work/told.js" "$path" "$work"/told-*.json
done
