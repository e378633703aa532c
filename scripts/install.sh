#!/bin/sh
# Installs what Matchbook needs and this system lacks, and says what it does.
# Usage: scripts/install.sh NEED...    where a NEED is: rust, lints, postgresql, browser, openssl, cluster, pgbackrest, prometheus, wasm,
# age, package, clean-debian
# Without root and without sudo, or on a system it does not know, it prints what is needed and stops.
set -eu

has() { command -v "$1" >/dev/null 2>&1; }

has_postgresql() {
    has initdb && has postgres && return
    for folder in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin \
        /usr/local/opt/postgresql*/bin /usr/local/pgsql/bin; do
        [ -x "$folder/initdb" ] && return
    done
    return 1
}

has_browser() {
    has chromedriver && { has chromium || has chromium-browser || has google-chrome; }
}

# The font in which the pages are measured. With another one lines break elsewhere.
has_font() { has fc-list && fc-list | grep -q Liberation; }

# The line to run as root for these packages.
apt_line() { echo "apt-get install -y --no-install-recommends $*"; }

# Runs a command as root, or fails when this user cannot.
as_root() {
    if [ "$(id -u)" = 0 ]; then env DEBIAN_FRONTEND=noninteractive "$@"
    else sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

install() {
    if ! has apt-get; then
        echo "Matchbook needs these programs, which this system lacks: $wanted." >&2
        echo "Please install them with the system's package manager, and run make again." >&2
        exit 1
    fi
    if [ "$(id -u)" != 0 ] && ! { has sudo && sudo -n true 2>/dev/null; }; then
        echo "Matchbook needs programs that this system lacks. This line installs them; then run make again:" >&2
        echo >&2
        echo "    sudo apt-get update && sudo $(apt_line "$@")" >&2
        echo >&2
        exit 1
    fi
    echo "== installing $wanted: $(apt_line "$@")"
    # Debian's package starts a server for the whole system. Matchbook runs its own, so none is asked for.
    aside=/etc/postgresql-common/createcluster.d/matchbook.conf
    if [ ! -d /etc/postgresql-common ]; then
        as_root sh -c "mkdir -p ${aside%/*} && echo 'create_main_cluster = false' >$aside"
    else
        aside=
    fi
    # Nor for a Prometheus of the whole system: with this file nothing that is installed is started.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e $policy ]; then
        as_root sh -c "printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy"
        trap 'as_root rm -f $policy' EXIT
    fi
    as_root apt-get update -qq
    # shellcheck disable=SC2046
    as_root $(apt_line "$@")
    [ -z "$aside" ] || as_root rm -f "$aside"
}

packages=
wanted=
need() {
    wanted="${wanted:+$wanted, }$1"
    shift
    packages="$packages $*"
}

for want in "$@"; do
    case $want in
    rust)
        has cargo || { echo "Matchbook is built with Rust: install it from https://rustup.rs" >&2; exit 1; }
        has cc || need "a C compiler" gcc libc6-dev
        ;;
    lints)
        for tool in fmt clippy; do
            cargo $tool --version >/dev/null 2>&1 && continue
            component=$tool
            [ $tool = fmt ] && component=rustfmt
            echo "== installing $component: rustup component add $component"
            rustup component add $component
        done
        ;;
    postgresql) has_postgresql || need PostgreSQL postgresql ;;
    browser)
        if ! has_browser; then
            # Ubuntu has other names for it.
            if grep -q '^ID=ubuntu' /etc/os-release 2>/dev/null; then
                need Chromium chromium-browser chromium-chromedriver
            else
                need Chromium chromium chromium-driver
            fi
        fi
        has_font || need "Liberation fonts" fontconfig fonts-liberation
        ;;
    age) has age || need age age ;;
    openssl) has openssl || need OpenSSL openssl ;;
    cluster)
        has curl || need curl curl
        has etcd || need etcd etcd-server
        has patroni || need Patroni patroni python3-etcd
        has haproxy || need HAProxy haproxy
        has ip || need ip iproute2
        ;;
    pgbackrest) has pgbackrest || need pgBackRest pgbackrest ;;
    prometheus) has promtool || need Prometheus prometheus ;;
    package)
        has dpkg-shlibdeps || need dpkg-dev dpkg-dev
        if ! cargo deb --version >/dev/null 2>&1; then
            echo "== installing cargo-deb: cargo install cargo-deb --version 3.8.0 --locked"
            cargo install cargo-deb --version 3.8.0 --locked
        fi
        ;;
    clean-debian)
        has mmdebstrap || need mmdebstrap mmdebstrap
        has curl || need curl curl
        ;;
    wasm)
        # Rust's library for browsers: rustup has it, or Debian has it as source for a Rust of its own.
        target=wasm32-unknown-unknown
        if ! [ -d "$(rustc --print sysroot 2>/dev/null)/lib/rustlib/$target" ]; then
            echo "== installing Rust's library for $target"
            rustup target add $target 2>/dev/null || need "Rust for $target" rustc-web cargo-web rust-web-src lld
        fi
        has wasm-opt || need wasm-opt binaryen
        has zopfli || need zopfli zopfli
        ;;
    *) echo "scripts/install.sh: $want is not known here" >&2; exit 2 ;;
    esac
done

# Several words on purpose: each is a package.
# shellcheck disable=SC2086
[ -z "$packages" ] || install $packages
