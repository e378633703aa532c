#!/bin/sh
# Runs a command that tests, and says at the end once more why tests failed: thousands of lines may follow a failure.
# The frames of a backtrace are left out there: a few of them hide the reason of everything else.
# Where nobody is there to stop a test that hangs, it stops everything after an hour, and says which one it was.
set -u
limit=3600
[ -t 0 ] || set -- timeout --kill-after=60 "$limit" "$@"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ "$@" 2>&1; echo $? >"$log.status"; } | tee "$log"
status=$(cat "$log.status")
rm -f "$log.status"
if [ "$status" = 124 ] || [ "$status" = 137 ]; then
    printf '\n== stopped after %s s, while these tests ran\n' "$limit"
    sed -n 's/^test \(.*\) has been running for over 60 seconds$/\1/p' "$log" | sort -u | while read -r test; do
        grep -q "^test $test \.\.\. " "$log" || printf '%s\n' "$test"
    done
fi
if [ "$status" != 0 ]; then
    printf '\n== what failed\n'
    awk '/^---- .* stdout ----$/ { shown = 1 } /^failures:$/ { shown = 0 } /^ +([0-9]+: |at )/ { next } shown' "$log" | cut -c1-2000 | tail -n 150
fi
exit "$status"
