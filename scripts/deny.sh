#!/bin/sh
# Checks what other people's crates bring along: licences, sources and duplicates of what we refuse (deny.toml), and
# advisories of rustsec.org. A machine without cargo-deny, or without the way to the advisories, checks the rest and says so.
set -eu
cd "$(dirname "$0")/.."

if ! cargo deny --version >/dev/null 2>&1; then
    if python3 -c 'import tomllib' 2>/dev/null; then
        python3 scripts/licences.py
    else
        echo "skipped: licences and sources need cargo-deny, or Python 3.11"
    fi
    echo "skipped: advisories need cargo-deny (cargo install cargo-deny --locked)"
    exit 0
fi
# Before anything is built, nothing may have fetched the crates.
cargo fetch --locked --quiet 2>/dev/null || true
cargo deny --offline --log-level error check --hide-inclusion-graph bans licenses sources
if timeout 60 cargo deny fetch db >/dev/null 2>&1; then
    cargo deny check --disable-fetch advisories
else
    echo "skipped: the advisories of rustsec.org cannot be fetched from here"
fi
