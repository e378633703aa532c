#!/bin/sh
# What Lighthouse says of the main pages: accessibility, best practices, search engines and performance, as on a slow phone
# (its own default), and how many bytes a page and its scripts are when they are transferred.
# For whoever changes a page. Needs npm (it fetches lighthouse, in a folder of its own) and Chromium; serves the demo itself.
#   scripts/lighthouse.sh [ADDRESS]     a site that is served already; else the demo
#   BUILT=target/release  WORK=/tmp/lighthouse
set -eu
cd "$(dirname "$0")/.."
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
const [file, path] = process.argv.slice(2);
const { categories, audits } = JSON.parse(readFileSync(file, "utf8"));
const score = (name) => Math.round(100 * (categories[name]?.score ?? 0));
const items = audits["network-requests"].details.items;
const kb = (kept) => (items.filter(kept).reduce((sum, one) => sum + one.transferSize, 0) / 1000).toFixed(1);
const scripts = (one) => one.resourceType === "Script", verifier = (one) => one.url.endsWith(".wasm");
console.log(`| ${path} | ${score("accessibility")} | ${score("best-practices")} | ${score("seo")} | ${score("performance")} | ` +
  `${Math.round(audits["first-contentful-paint"].numericValue)} ms | ${audits["cumulative-layout-shift"].numericValue.toFixed(3)} | ` +
  `${kb((one) => !verifier(one))} kB | ${kb(scripts)} kB |`);
for (const [id, audit] of Object.entries(audits)) {
  const counted = ["accessibility", "best-practices", "seo"].some((name) => categories[name].auditRefs.some((ref) => ref.id === id && ref.weight));
  if (counted && audit.score !== null && audit.score < 1) console.log(`  ${path}: ${id}: ${audit.title}`);
}
JS
echo '| page | accessibility | best practices | SEO | performance | first paint | layout shift | transferred | scripts |'
echo '|---|---:|---:|---:|---:|---:|---:|---:|---:|'
flags='--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'
for path in / /archive "$over" "$over/verify" /rules/five-card-trick/dm-colosseum-2 "$live/live"; do
    CHROME_PATH=${CHROME_PATH:-$(command -v chromium)} "$work/node_modules/.bin/lighthouse" "$site$path" --quiet \
        --chrome-flags="$flags" --output=json --output-path="$work/told.json" --max-wait-for-load=30000 2>"$work/said" || cat "$work/said"
    node "$work/told.js" "$work/told.json" "$path"
done
