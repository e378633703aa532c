#!/bin/bash
# What is lost and how long it takes after a failure, for each way of docs/operating.md, "What can be lost?": MATCHES
# matches of the past in a private PostgreSQL, then kill -9 of the program, kill -9 of PostgreSQL, `matchbook restore`, and
# pgBackRest by the recipe in deploy/pgbackrest/, with an umpire added each second before the machine is "lost".
#   scripts/bench-recovery.sh [MATCHES]         default: 10000
#   SECONDS_OF_WRITING=90 BENCH_DIR=/tmp BUILT=target/release
set -eu
cd "$(dirname "$0")/.."
matches=${1:-10000}
writing=${SECONDS_OF_WRITING:-90}
built=${BUILT:-${CARGO_TARGET_DIR:-target}/release}
work=$(mktemp -d "${BENCH_DIR:-/tmp}/matchbook-recovery.XXXXXX")
chmod 755 "$work"
[ -n "${BUILT:-}" ] || cargo build --release --bin matchbook
export MATCHBOOK_DATA_DIR="$work/data" MATCHBOOK_CHECKPOINT_FILE="$work/checkpoint" MATCHBOOK_LOG=error
site=http://127.0.0.1:18080
serving=
trap '[ -z "$serving" ] || kill "$serving" 2>/dev/null; wait; rm -rf "$work"' EXIT INT TERM

now() { date +%s.%N; }
since() { awk "BEGIN {printf \"%.1f\", $(now) - $1}"; }
ready() { until curl -fsS -o /dev/null $site/readyz 2>/dev/null; do sleep 0.02; done; }
unready() { while curl -fsS -o /dev/null $site/readyz 2>/dev/null; do sleep 0.005; done; }
start() {
    "$built/matchbook" serve --listen 127.0.0.1:18080 >"$work/said" 2>&1 &
    serving=$!
    ready
}
stop() { kill "$serving"; wait "$serving" || true; serving=; }
server() { head -1 "$work/data/postgres/cluster/postmaster.pid"; }
# Nobody runs on the cluster's files any more.
ended() { until flock -n "$work/data/postgres/guardian.lock" true; do sleep 0.02; done; }
size() { du -sm "$1" | cut -f1; }
count() { "$built/matchbook" db psql -- -AtXqc "$1"; }

BUILT=$built scripts/bench-import.sh "$matches" "$work/data" >"$work/imported"
echo "$matches matches, $(count 'select count(*) from entries') entries," \
    "$(count "select pg_database_size('matchbook') / 1000000") MB"

start
for _ in 1 2 3 4 5; do
    kill -9 "$serving"; wait "$serving" 2>/dev/null || true
    begun=$(now); start
    echo "program killed: ready again after $(since "$begun") s"
done
for _ in 1 2 3 4 5; do
    begun=$(now); kill -9 "$(server)"; unready; ready
    echo "PostgreSQL killed: ready again after $(since "$begun") s"
done

begun=$(now); "$built/matchbook" backup "$work/backup" >/dev/null
echo "matchbook backup: $(since "$begun") s, $(size "$work/backup") MB"
stop
mv "$work/data" "$work/data.aside"
begun=$(now); "$built/matchbook" restore "$work/backup" >/dev/null
echo "matchbook restore, with its audit: $(since "$begun") s"
begun=$(now); start
echo "and ready $(since "$begun") s later"
stop
rm -rf "$work/data"; mv "$work/data.aside" "$work/data"

command -v pgbackrest >/dev/null || { echo 'pgBackRest is not installed'; exit 0; }
owner=$(stat -c %U "$work/data/postgres")
as_owner() { if [ "$(id -u)" = 0 ]; then runuser -u "$owner" -- "$@"; else "$@"; fi; }
repository="$work/pgbackrest"
as_here() {
    sed "s|/var/lib/matchbook-pgbackrest|$repository|; s|/var/lib/matchbook|$work/data|; s|CHANGE-ME|benchmark|;
        s|pgbackrest --stanza|pgbackrest --config=$work/pgbackrest.conf --stanza|" "deploy/pgbackrest/$1"
}
as_here pgbackrest.conf >"$work/pgbackrest.conf"
as_here local.conf >"$work/data/postgres/local.conf"
mkdir "$repository"; chown "$owner" "$repository" "$work/data/postgres/local.conf" "$work/pgbackrest.conf"
pgbackrest() { as_owner pgbackrest --config="$work/pgbackrest.conf" --stanza=matchbook --log-level-console=error "$@"; }
start
pgbackrest stanza-create
begun=$(now); pgbackrest --type=full backup
echo "pgBackRest, full: $(since "$begun") s, $(size "$repository") MB"
begun=$(now); pgbackrest --type=diff backup
echo "pgBackRest, what changed since: $(since "$begun") s"
for n in $(seq "$writing"); do "$built/matchbook" umpire add "Umpire $n" >/dev/null; sleep 1; done
written=$(count 'select count(*) from umpires')
kill -9 "$(server)" "$serving"; wait "$serving" 2>/dev/null || true; serving=; ended
rm -rf "$work/data/postgres/cluster"; as_owner mkdir -m 700 "$work/data/postgres/cluster"
begun=$(now); pgbackrest restore
echo "pgBackRest restore: $(since "$begun") s"
begun=$(now); start
echo "and ready $(since "$begun") s later, with $(count 'select count(*) from umpires') of $written umpires," \
    "one was added each second or so"
stop
