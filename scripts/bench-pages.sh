#!/bin/sh
# How fast a match's page comes out of a record of many matches, beside nginx serving the same bytes from disk.
# For Debian: installs nginx-light and wrk if they are missing. Takes some minutes; leaves nothing running.
#   scripts/bench-pages.sh [MATCHES] [SECONDS]
set -eu
cd "$(dirname "$0")/.."
matches=${1:-10000}
seconds=${2:-8}
built=${CARGO_TARGET_DIR:-target}/release/matchbook
work=$(mktemp -d /tmp/matchbook-bench.XXXXXX)
chmod 755 "$work"
stop() { kill "$server" "$nginx" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }
server= nginx=
trap stop EXIT INT TERM

for tool in nginx wrk; do
    command -v "$tool" >/dev/null || apt-get install -y nginx-light wrk >/dev/null
done
cargo build --release --bin matchbook

# Many matches out of the fixtures: the same play, under other names and on other days.
mkdir "$work/dmn"
find fixtures/matches -name '*.dmn' | sort >"$work/files"
n=0
while [ "$n" -lt "$matches" ]; do
    while read -r file && [ "$n" -lt "$matches" ]; do
        n=$((n + 1))
        sed -e "s/^\[P1 \"\(.*\)\"\]/[P1 \"\1 $((n % 500))\"]/" -e "s/^\[P2 \"\(.*\)\"\]/[P2 \"\1 $((n % 700))\"]/" \
            -e "s/^\[Event \"\(.*\)\"\]/[Event \"\1 $((n % 100))\"]/" "$file" >"$work/dmn/$n.dmn"
    done <"$work/files"
done

export MATCHBOOK_DATA_DIR="$work/data"
"$built" umpire add Bench >/dev/null
began=$(date +%s)
"$built" import --umpire Bench "$work/dmn" | tail -1
echo "entered in $(($(date +%s) - began)) s"
"$built" serve --listen 127.0.0.1:8181 >"$work/log" 2>&1 &
server=$!
until curl -sf http://127.0.0.1:8181/ >/dev/null; do sleep 0.2; done
slug=$("$built" db psql -- -Atc "select slug from archive where rounds = 25 and game = 'five-card-trick' order by match_id limit 1")

mkdir "$work/www"
curl -sf "http://127.0.0.1:8181/m/$slug" >"$work/www/page.html"
cat >"$work/nginx.conf" <<CONF
daemon off; worker_processes 2; pid $work/nginx.pid; error_log $work/nginx.log;
events { worker_connections 1024; }
http { access_log off; types { text/html html; } sendfile on; server { listen 127.0.0.1:8182; root $work/www; } }
CONF
nginx -c "$work/nginx.conf" &
nginx=$!
sleep 1

load() {
    threads=$(($1 > 1 ? 2 : 1))
    wrk --latency "-t$threads" -c"$1" -d"${seconds}s" "$2" |
        awk '$1 == "50%" || $1 == "99%" {printf "%s %s  ", $1, $2} /Requests\/sec/ {print $2 " requests/s"}'
}
echo "page of $(wc -c <"$work/www/page.html") bytes, $matches matches, PostgreSQL with fsync on, $(nproc) cores shared by client and servers"
for round in 1 2 3; do
    for clients in 1 8 32; do
        echo "$clients readers: matchbook $(load "$clients" "http://127.0.0.1:8181/m/$slug")"
        echo "$clients readers: nginx     $(load "$clients" http://127.0.0.1:8182/page.html)"
    done
done
