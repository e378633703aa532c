#!/bin/sh
# How fast the archive is read out of few and of many matches, beside nginx serving the same bytes from disk: the first
# page with a match of the week, the first page of the archive, filtered and sorted pages, the last page, searches,
# suggestions, players, events, matches and beats, by 32 readers at once; all of them mixed, as
# a crowd asks; and the same where nobody asks for anything that was asked for before. Also how long the statistics take
# until every match is counted. How to prepare for a player is not measured: the server counts such dear pages by address.
# For Debian: installs nginx-light and wrk if they are missing. Filling 100,000 matches takes some minutes and about 12 GB;
# leaves nothing running.
#   scripts/bench-archive.sh [MATCHES...]     default: 1000 100000
#   READERS=32 SECONDS_EACH=8 BENCH_DIR=/tmp BUILT=target/release
#   KEPT=FOLDER leaves the filled databases there, and measures those that it finds
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- 1000 100000
readers=${READERS:-32}
seconds=${SECONDS_EACH:-8}
built=${BUILT:-${CARGO_TARGET_DIR:-target}/release}
work=$(mktemp -d "${BENCH_DIR:-/tmp}/matchbook-bench.XXXXXX")
chmod 755 "$work"
server= nginx=
stop() { kill $server $nginx 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }
trap stop EXIT INT TERM

for tool in nginx wrk; do
    command -v "$tool" >/dev/null || apt-get install -y nginx-light wrk >/dev/null
done
[ -n "${BUILT:-}" ] || cargo build --release -p matchbook --bin matchbook --example fill

# wrk walks through a file of addresses, from a place of its own in each thread: two that read in step would ask for
# everything twice.
cat >"$work/walk.lua" <<'LUA'
local paths = {}
for line in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = line end
local at = 0
local threads = 0
function setup(thread)
    thread:set("nth", threads)
    threads = threads + 1
end
function init() at = math.floor(#paths * nth / 2) end
function request()
    at = at % #paths + 1
    return wrk.format("GET", paths[at])
end
function response(status) if status ~= 200 then io.stderr:write("status " .. status .. "\n") end end
LUA

# What a crowd asks for, from a server that has just started: of 100 pages the first 10 times, and then filtered lists,
# searches, players, matches and beats so often. Within each kind the second is asked for half as often as the first, the
# tenth a tenth as often, and so on to the last: some pages by everybody, and many by one reader alone.
crowd='first 10 new-list 10 search 10 player 15 new-match 25 beat 30'
crowd() {
    for kind in $crowd; do [ ! -f "$work/$kind" ] || sed "s|^|$kind |" "$work/$kind"; done |
        awk -v crowd="$crowd" '
            { page[$1, ++pages[$1]] = $2 }
            END {
                srand(1)
                for (n = split(crowd, share, " "); n; n -= 2) for (i = 0; i < share[n]; i++) kind[at++] = share[n - 1]
                for (i = 0; i < 60000; i++) { k = kind[int(rand() * at)]; print page[k, int(pages[k] ^ rand())] }
            }'
}

# Of these each page is asked for once before it is measured, and then again and again.
asked_again='home first filtered sorted last search suggest player event match beat'
# Of these every page is asked for once.
asked_once='new-list new-sorted new-search new-suggest new-player new-event new-match'

load() {
    wrk --latency -t2 "-c$readers" "-d${seconds}s" "$@" 2>"$work/said" |
        awk '$1 == "50%" || $1 == "99%" {printf "%s %s  ", $1, $2} /Requests\/sec/ {printf "%s requests/s", $2}'
    sort -u "$work/said" | head -3 | tr '\n' ' '
}

for matches in "$@"; do
    export MATCHBOOK_DATA_DIR="${KEPT:-$work}/data-$matches"
    export MATCHBOOK_CHECKPOINT_FILE="${KEPT:-$work}/checkpoint-$matches"
    mkdir -p "$work/www"
    if [ -d "$MATCHBOOK_DATA_DIR" ]; then
        "$built/matchbook" db migrate 2>/dev/null | tail -2
    else
        began=$(date +%s)
        "$built/matchbook" db with -- "$built/examples/fill" --matches "$matches" 2>/dev/null | tail -1
        echo "filled in $(($(date +%s) - began)) s"
        began=$(date +%s)
        # The lists, the statistics and the checks, one after the other: a line for each, with its own time.
        "$built/matchbook" db migrate --reindex 2>/dev/null | grep --line-buffered again | while read -r line; do
            echo "$line, in $(($(date +%s) - began)) s"
            began=$(date +%s)
        done
    fi
    "$built/matchbook" db psql -- -qc 'vacuum analyze'
    "$built/matchbook" serve --listen 127.0.0.1:8181 >"$work/log" 2>&1 &
    server=$!
    # At its start the whole log is read once, and then signed.
    until curl -sf http://127.0.0.1:8181/checkpoint >/dev/null; do sleep 0.5; done
    query() { "$built/matchbook" db psql -- -Atc "$1"; }

    # The match of the week is one that was played in the last days: the newest ones are moved there.
    query "update archive set played_at = now() - interval '1 day' * (random() * 6) where match_id in
        (select match_id from archive where result <> '*' order by played_at desc limit 50)" >/dev/null
    echo / >"$work/home"
    echo /archive >"$work/first"
    for sort in dramatic closest late longest; do
        echo "/archive?sort=$sort"
        query "select distinct '/archive?sort=$sort&ruleset=' || ruleset from archive"
    done >"$work/sorted"
    echo '/archive?page=last' >"$work/last"
    for ending in '' '&result=won' '&ending=umpire' '&rounds_min=10' '&from=2019-02-01' '&rulings=yes'; do
        query "select distinct '/archive?ruleset=' || ruleset || '$ending' from archive"
    done >"$work/filtered"
    query "select '/archive?q=' || split_part(name, ' ', 1) || '+' || left(split_part(name, ' ', 2), 3) from (select distinct name from archive_seats) as names limit 200" >"$work/search"
    query "select '/players/' || replace(key, ' ', '%20') from (select distinct key from archive_seats) as keys limit 300" >"$work/player"
    query "select '/suggest.json?q=' || left(split_part(name, ' ', 1), 3) from (select distinct name from archive_seats) as names limit 200" >"$work/suggest"
    query "select '/events/' || replace(event_key, ' ', '%20') from (select distinct event_key from archive where event_key is not null) as events limit 300" >"$work/event"
    query "select '/m/' || slug from archive order by match_id limit 300" >"$work/match"
    query "select '/m/' || slug || '/r/3/after' from archive where game = 'five-card-trick' and rounds >= 3 order by match_id limit 2000" >"$work/beat"
    # Nobody asks for any of these a second time, so that each page is made anew: the server does not know `n`, and takes
    # each for a page of its own.
    seq -f '/archive?rounds_max=%.0f' 1000 40000 >"$work/new-list"
    for n in $(seq 60); do sed "s/$/\&n=$n/" "$work/search"; done >"$work/new-search"
    rm -f "$work"/new-sorted "$work"/new-suggest "$work"/new-event
    for n in $(seq 60); do
        sed "s/$/\&n=$n/" "$work/sorted" >>"$work/new-sorted"
        sed "s/$/\&n=$n/" "$work/suggest" >>"$work/new-suggest"
        sed "s/$/?n=$n/" "$work/event" >>"$work/new-event"
    done
    for n in $(seq 60); do sed "s/$/?n=$n/" "$work/player"; done >"$work/new-player"
    query "select '/m/' || slug from archive order by match_id desc limit 20000" >"$work/new-match"
    crowd >"$work/crowd"
    cat >"$work/nginx.conf" <<CONF
daemon off; worker_processes 2; pid $work/nginx.pid; error_log $work/nginx.log;
events { worker_connections 1024; }
http { access_log off; types { text/html html; } sendfile on; server { listen 127.0.0.1:8182; root $work/www; } }
CONF
    for page in crowd $asked_again $asked_once; do
        curl -sf "http://127.0.0.1:8181$(head -1 "$work/$page")" >"$work/www/$page.html"
    done
    nginx -c "$work/nginx.conf" &
    nginx=$!
    sleep 1
    echo "$matches matches, $readers readers, $(nproc) cores shared by readers and servers, PostgreSQL with fsync on"
    for page in crowd $asked_again $asked_once; do
        export PATHS="$work/$page"
        echo "$page, $(wc -l <"$work/$page") addresses, $(wc -c <"$work/www/$page.html") bytes"
        case " $asked_again " in *" $page "*)
            sed 's|.*|url = "http://127.0.0.1:8181&"|' "$PATHS" | curl -sfK - >/dev/null ;;
        esac
        echo "  matchbook $(load -s "$work/walk.lua" http://127.0.0.1:8181)"
        echo "  nginx     $(load "http://127.0.0.1:8182/$page.html")"
    done
    kill "$server" "$nginx"
    wait "$server" "$nginx" 2>/dev/null || true
    server= nginx=
    [ -n "${KEPT:-}" ] || rm -rf "$MATCHBOOK_DATA_DIR"
    rm -rf "$work/www"
done
