#!/bin/sh
# Every text of every template, with its file, for whoever translates: "…" stands for what is filled in, and a text ends
# where a tag or a condition does. Sentences that the program says itself stand in Rust (docs/ARCHITECTURE.md, "Where is the rest?").
#   scripts/texts.sh > texts.tsv
set -eu
cd "$(dirname "$0")/.."
find web picture/src -name '*.html' | LC_ALL=C sort | while read -r file; do
    tr '\n' ' ' <"$file" |
        # Words of attributes are read, too.
        sed -E 's/(aria-label|title|alt|placeholder|data-label)="([^"]*)"/>\2</g
                s/\{\{[^}]*\}\}/…/g; s/\{%[^%]*%\}/\n/g; s/<[^>]*>/\n/g; s/&[a-z]+;/ /g' |
        sed -E 's/^[[:space:]]+|[[:space:]]+$//g; s/[[:space:]]+/ /g' |
        grep -E '[[:alpha:]]{2}' | grep -vE '^[^ ]*[="{}>][^ ]*$' | awk -v file="$file" '!told[$0]++ {print file "\t" $0}' || true
done
