#!/bin/sh
# Builds the program of the last tag (or of the commit in FROM), and upgrades a site that it made to this tree under load:
# tests/src/upgrade.rs, which says which migrations ran. Needs the tags: git fetch --tags.
set -eu
cd "$(dirname "$0")/.."
from=${FROM:-$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)}
if [ -z "$from" ]; then
    echo "There is no tag v* to upgrade from: get the tags (git fetch --tags), or name a commit: make upgrade-test FROM=<commit>" >&2
    exit 1
fi
if ! git rev-parse --verify --quiet "$from^{commit}" >/dev/null; then
    echo "There is no commit $from here to upgrade from: name one that \"git log\" shows: make upgrade-test FROM=<commit>" >&2
    exit 1
fi
built=${CARGO_TARGET_DIR:-$PWD/target}
old="$built/upgrade-from"
echo "== building the program of $from"
rm -rf "$old/source"
git worktree prune
git worktree add --detach "$old/source" "$from" >/dev/null
trap 'git worktree remove --force "$old/source"' EXIT INT TERM
(cd "$old/source" && CARGO_TARGET_DIR="$old/target" cargo build --bin matchbook)
echo "== building this tree"
cargo build --bin matchbook
cargo test -p matchbook-tests --no-run
echo "== upgrading"
MATCHBOOK_OLD_BINARY="$old/target/debug/matchbook" "$built/debug/matchbook" db with --temporary -- \
    cargo test -p matchbook-tests upgrade:: -- --nocapture
