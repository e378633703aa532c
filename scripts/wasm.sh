#!/bin/sh
# Builds the modules for browsers, and notes what they were built from: the verifier (web/assets/verifier.wasm.gz) from
# engine/, ledger/, record/ and verifier/, and the beacon's curve (web/assets/beacon.wasm.gz) from ledger/ and beacon/.
# `make wasm` calls it. Needs wasm-opt, zopfli, and Rust with its library for wasm32-unknown-unknown:
# rustup's where there is one, else Debian's packages (scripts/install.sh wasm).
set -eu
cd "$(dirname "$0")/.."
built=${CARGO_TARGET_DIR:-target}
target=wasm32-unknown-unknown

# compile CRATE: a library for browsers alone. The normal build knows nothing of that kind.
compile() {
    set -- --package "matchbook-$1" --lib --profile module --crate-type cdylib --target $target
    if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
        # Paths of this machine would stand in the messages of panics.
        home=${CARGO_HOME:-$HOME/.cargo}
        RUSTFLAGS="--remap-path-prefix=$PWD=. --remap-path-prefix=$home=cargo" cargo rustc "$@"
    else
        # Debian keeps a Rust for browsers that can build the library from its source.
        PATH=/usr/bin:$PATH RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
            /usr/bin/cargo rustc -Z build-std=std,panic_abort "$@"
    fi
}

# note CRATE FOLDER...: what it was built from, without tests and comments. A test compares this, and says when the module
# is old.
note() {
    crate=$1
    shift
    find "$@" -name '*.rs' -o -name '*.txt' | LC_ALL=C sort |
        while read -r file; do
            sed -e '/^#\[cfg(test)\]$/,$d' -e '/^ *\/\//d' "$file"
        done | sha256sum | cut -d ' ' -f 1 >"web/assets/$crate.sources"
}

# shrink CRATE: every reader of a match downloads it. Both tools together save a tenth.
shrink() {
    module=$built/$target/module/matchbook_$1.wasm
    wasm-opt -Oz --enable-bulk-memory --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int \
        --enable-reference-types --enable-multivalue "$module" -o "$module.small"
    zopfli -c "$module.small" >"web/assets/$1.wasm.gz"
    echo "$(wc -c <"$module.small") bytes, compressed $(wc -c <"web/assets/$1.wasm.gz"): web/assets/$1.wasm.gz"
}

compile verifier
note verifier engine/src ledger/src record/src verifier/src
shrink verifier

compile beacon
note beacon ledger/src beacon/src
shrink beacon
