#!/bin/sh
# Runs a command that tests, and says at the end once more why tests failed: thousands of lines may follow a failure.
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ "$@" 2>&1; echo $? >"$log.status"; } | tee "$log"
status=$(cat "$log.status")
rm -f "$log.status"
if [ "$status" != 0 ]; then
    printf '\n== what failed\n'
    awk '/^---- .* stdout ----$/ { shown = 1 } /^failures:$/ { shown = 0 } shown' "$log" | cut -c1-2000 | tail -n 150
fi
exit "$status"
