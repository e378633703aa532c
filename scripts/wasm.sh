#!/bin/sh
# Builds the verifier for browsers (web/assets/verifier.wasm.gz) from engine/, ledger/, record/ and verifier/, and notes
# what it was built from. `make wasm` calls it. Needs wasm-opt, zopfli, and Rust with its library for
# wasm32-unknown-unknown:
# rustup's where there is one, else Debian's packages (scripts/install.sh wasm).
set -eu
cd "$(dirname "$0")/.."
built=${CARGO_TARGET_DIR:-target}
target=wasm32-unknown-unknown
# A library for browsers alone: the normal build knows nothing of that kind.
set -- --package matchbook-verifier --lib --profile module --crate-type cdylib --target $target

if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    # Paths of this machine would stand in the messages of panics.
    home=${CARGO_HOME:-$HOME/.cargo}
    RUSTFLAGS="--remap-path-prefix=$PWD=. --remap-path-prefix=$home=cargo" cargo rustc "$@"
else
    # Debian keeps a Rust for browsers that can build the library from its source.
    PATH=/usr/bin:$PATH RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
        /usr/bin/cargo rustc -Z build-std=std,panic_abort "$@"
fi

# What it was built from, without tests and comments: a test compares this, and says when the module is old.
find engine/src ledger/src record/src verifier/src -name '*.rs' -o -name '*.txt' | LC_ALL=C sort |
    while read -r file; do
        sed -e '/^#\[cfg(test)\]$/,$d' -e '/^ *\/\//d' "$file"
    done | sha256sum | cut -d ' ' -f 1 >web/assets/verifier.sources

# Every reader of a match downloads it: both tools together save a tenth.
module=$built/$target/module/matchbook_verifier.wasm
wasm-opt -Oz --enable-bulk-memory --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int \
    --enable-reference-types --enable-multivalue "$module" -o "$module.small"
module=$module.small
zopfli -c "$module" >web/assets/verifier.wasm.gz
echo "$(wc -c <"$module") bytes, compressed $(wc -c <web/assets/verifier.wasm.gz): web/assets/verifier.wasm.gz"
