#!/bin/sh
# Reads all that a program of ours answers on a copy of the same data, so that two programs can be compared.
#   PRISTINE=DATA scripts/net.sh BINARY FOLDER
#   scripts/crawl.py --compare BEFORE/crawl AFTER/crawl && diff BEFORE/schema.txt AFTER/schema.txt
# DATA is what scripts/crawl_data.py made. FOLDER gets data, the copy as the program left it; crawl; schema.txt, of a new
# database; and program.log. PREPARE is a command to run on the copy before the program starts. It finds the copy at
# MATCHBOOK_DATA_DIR.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
pristine=${PRISTINE:?the data folder that scripts/crawl_data.py made}
binary=$(realpath "$1")
port=${PORT:-18090}
unset DATABASE_URL
mkdir -p "$2"
folder=$(realpath "$2")
# The program steps down to another user, who must come as far as the data.
chmod 755 "$folder"
[ ! -e "$folder/data" ] || { echo "$folder/data is there already" >&2; exit 1; }
cp -a "$pristine" "$folder/data"
export MATCHBOOK_DATA_DIR="$folder/data"
[ -z "${PREPARE:-}" ] || sh -c "$PREPARE"

"$binary" serve --listen "127.0.0.1:$port" --api-rate 100000 >"$folder/program.log" 2>&1 &
program=$!
trap 'kill "$program" 2>/dev/null || true' EXIT INT TERM
until curl -sf "http://127.0.0.1:$port/healthz" >/dev/null; do
    kill -0 "$program" 2>/dev/null || { cat "$folder/program.log" >&2; exit 1; }
    sleep 0.2
done
tr '\n' '\0' <"$pristine/who" | xargs -0 "$here/crawl.py" "http://127.0.0.1:$port" "$folder/crawl"
kill "$program"
wait "$program"
trap - EXIT
"$binary" db with --temporary -- sh -c "'$binary' db migrate && '$here/schema.sh'" >"$folder/schema.txt"
