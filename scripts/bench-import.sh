#!/bin/bash
# How fast matches of the past are entered from a folder, and in how much memory: MATCHES files in the notation, each with
# names and a date of its own, made of the finished matches in fixtures/; then the same folder once more, of which all is
# there already. The database is a private one in a fresh folder.
#   scripts/bench-import.sh [MATCHES [DATA]]         default: 10000, and a data folder that is deleted again
#   AT_ONCE=16 BENCH_DIR=/tmp BUILT=target/release
# Memory is the greatest that the importing process itself held, without its PostgreSQL.
set -eu
cd "$(dirname "$0")/.."
matches=${1:-10000}
built=${BUILT:-${CARGO_TARGET_DIR:-target}/release}
work=$(mktemp -d "${BENCH_DIR:-/tmp}/matchbook-bench.XXXXXX")
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT INT TERM
[ -n "${BUILT:-}" ] || cargo build --release -p matchbook --bin matchbook
export MATCHBOOK_DATA_DIR="${2:-$work/data}" MATCHBOOK_CHECKPOINT_FILE="${2:-$work/data}/../checkpoint" MATCHBOOK_LOG=warn

# Every game and ruleset comes as often as it has fixtures.
mapfile -t played < <(find fixtures/matches -name '*.dmn' | sort)
mkdir "$work/past"
awk -v matches="$matches" -v out="$work/past" '
    FNR == 1 { files++; text[files] = "" }
    { text[files] = text[files] $0 "\n" }
    END {
        for (n = 0; n < matches; n++) {
            copy = text[n % files + 1]
            sub(/\[P1 "/, "[P1 \"" int(n / files) " ", copy)
            name = sprintf("%s/%02d/%06d.dmn", out, n % 100, n)
            if (n < 100) system("mkdir -p " sprintf("%s/%02d", out, n))
            printf "%s", copy > name
            close(name)
        }
    }' "${played[@]}"
echo "$matches matches, $(du -sh --apparent-size "$work/past" | cut -f1)"

"$built/matchbook" umpire add Importer >/dev/null

run() {
    "$built/matchbook" import "$work/past" --umpire Importer --source "a benchmark" --at-once "${AT_ONCE:-16}" \
        >"$work/said" 2>"$work/wrong" &
    process=$!
    most=0
    while kill -0 $process 2>/dev/null; do
        held=$(awk '/VmHWM/ {print $2}' /proc/$process/status 2>/dev/null || true)
        [ "${held:-0}" -le "$most" ] || most=$held
        sleep 0.2
    done
    wait $process && code=0 || code=$?
    seconds=$(sed -n 's/.*, in \([0-9.]*\) s$/\1/p' "$work/said")
    echo "$1: $(tail -1 "$work/said"): $(awk "BEGIN {printf \"%.0f\", $matches / ($seconds + 0.001)}") a second," \
        "$((most / 1024)) MB, exit code $code"
    head -3 "$work/wrong"
}
run "first run"
[ -n "${2:-}" ] || run "again"
