#!/bin/sh
# Patroni asks a server that starts whether it is ready, and sleeps for a second if it is not. With THROWAWAY=1 it asks through
# this, which waits for a yes meanwhile.
for _ in 1 2 3 4 5 6 7 8 9; do
    "@BIN@/pg_isready" "$@" && exit 0
    code=$?
    sleep 0.1
done
exit $code
