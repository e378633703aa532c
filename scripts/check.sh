#!/bin/sh
# Format, lints and the tests of the crates that were touched: by what is not committed yet, and by the commits that the
# upstream branch has not. `make check` calls it; `make test` checks everything.
set -eu
cd "$(dirname "$0")/.."
base=$(git merge-base HEAD '@{upstream}' 2>/dev/null || git rev-parse HEAD)
touched=$(git diff --name-only "$base"; git ls-files --others --exclude-standard)
crates=$(sed -n 's/^members = \[\(.*\)\]/\1/p' Cargo.toml | tr -d '",')

cargo fmt --all --check
packages= ; whole= ; filters=
for crate in $crates; do
    files=$(printf '%s\n' "$touched" | grep "^$crate/.*\.\(rs\|html\|toml\|js\|css\|json\)$" || true)
    [ -n "$files" ] || continue
    package=$(sed -n 's/^name = "\(matchbook.*\)"/\1/p' "$crate/Cargo.toml" | head -1)
    packages="$packages --package $package"
    if [ "$crate" = tests ]; then
        # The whole matches over HTTP take minutes: those whose files were touched.
        filters=$(printf '%s\n' "$files" | sed -n 's,^tests/src/\([a-z_]*\).*,\1::,p' | sort -u | tr '\n' ' ')
    else
        whole="$whole --package $package"
    fi
done
if [ -z "$packages" ]; then
    echo 'no crate was touched'
    exit
fi

# Names of packages and filters have no spaces.
# shellcheck disable=SC2086
cargo clippy $packages --all-targets --all-features -- -D warnings
built=${CARGO_TARGET_DIR:-target}/debug/matchbook
[ -z "$whole" ] || cargo test $whole --all-features --no-run
cargo build --quiet --bin matchbook
[ -z "$whole" ] || "$built" db with --temporary -- cargo test --quiet $whole --all-features --no-fail-fast
"$built" db with --temporary -- cargo test --quiet --package matchbook-tests --no-fail-fast -- tidy:: $filters
