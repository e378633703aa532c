#!/bin/sh
# Natively and in WebAssembly: the same numbers for every text and for damaged ones.
# Usage: scripts/same.sh [MATCHES [CASES]]    Needs Node, and Rust's library for wasm32-unknown-unknown.
set -eu
cd "$(dirname "$0")/.."
matches=${1:-20} cases=${2:-20000}
built=${CARGO_TARGET_DIR:-target}
cargo build --quiet --profile module --package rules-module --lib --target wasm32-unknown-unknown
module=$built/wasm32-unknown-unknown/module/rules_module.wasm
ls -l "$module" | awk '{ print "the module: " $5 " bytes" }'
gzip -9c "$module" | wc -c | awk '{ print "compressed: " $1 " bytes" }'
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
MATCHES=$matches CASES=$cases RUST_TEST_THREADS=1 cargo test --quiet --release --package rules-tool --test same numbers -- --nocapture |
    grep -oE '(text [0-9]+|damage [0-9]+) [0-9a-f]{16}' | sort >"$folder/native"
node scripts/same.mjs "$module" "$matches" "$cases" | sort >"$folder/browser"
wc -l <"$folder/native" | awk '{ print $1 " numbers" }'
cmp "$folder/native" "$folder/browser" && echo "the same natively and in WebAssembly: $matches matches of each text, $cases damaged texts"
