#!/bin/sh
# Asks every operation of the API of a demo, well and badly, with Schemathesis (pip install schemathesis), and fails where
# an answer is not as /openapi.json tells. Needs a built matchbook; leaves nothing behind.
# ST names the program of Schemathesis, EXAMPLES how many requests it makes for each operation, LISTEN the address.
set -eu
cd "$(dirname "$0")/.."
matchbook=${MATCHBOOK:-${CARGO_TARGET_DIR:-target}/debug/matchbook}
listen=${LISTEN:-127.0.0.1:8090}
data=$(mktemp -d)
chmod 755 "$data"
export MATCHBOOK_DATA_DIR="$data/data" MATCHBOOK_CHECKPOINT_FILE="$data/checkpoint"
"$matchbook" serve --demo --listen "$listen" --api-rate 100000 > "$data/said" 2> "$data/log" &
served=$!
trap 'kill $served; wait $served || true; rm -rf "$data"' EXIT
until grep -q 'Ctrl-C stops it' "$data/said"; do kill -0 $served; sleep 1; done
token() { "$matchbook" token add 'Demo umpire' "$1" --scope admin 2> /dev/null; }
seat=$(sed -n 's,.*seat 1 of a live match: .*/play/[^0-9a-f]*\([0-9a-f]*\)$,\1,p' "$data/said")
failed=0
run() {
    bearer=$1
    shift
    "${ST:-schemathesis}" --config-file scripts/schemathesis.toml run "http://$listen/openapi.json" \
        --header "Authorization: Bearer $bearer" --max-examples "${EXAMPLES:-50}" --continue-on-failure --no-color "$@" || failed=1
}
# The seat comes first: the umpire's run revokes links. Revoking tokens and ending sessions would end the very one that
# asks, so that has a run of its own.
run "$seat" --include-tag player
run "$(token fuzz)" --exclude-tag player --exclude-operation-id revokeToken
run "$(token revoke)" --include-operation-id revokeToken
if grep -E 'ERROR|panicked' "$data/log"; then failed=1; fi
exit $failed
