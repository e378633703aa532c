#!/bin/sh
# Makes the two fonts beside this file from those of Debian's package fonts-inter (4.0~beta7+ds-1), with fonttools:
#     pip install fonttools && sh subset.sh /usr/share/fonts/opentype/inter
# What stays: Latin with its accents, Greek, Cyrillic, what prose and scores are set with, arrows; kerning and marks.
set -eu
here=$(dirname "$0")
for weight in Medium Bold; do
  pyftsubset "$1/Inter-$weight.otf" --output-file="$here/Inter-$weight.otf" \
    --unicodes=U+0020-007E,U+00A0-024F,U+0259,U+02BB-02BC,U+02C6-02DD,U+0300-0304,U+0306-030C,U+0323,U+0326-0328,U+0331,U+0370-03FF,U+0400-045F,U+0490-0491,U+04D8-04D9,U+04E8-04E9,U+1E00-1EFF,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2032-2033,U+2039-203A,U+2044,U+2070-2079,U+2080-2089,U+20AC,U+2116,U+2122,U+2190-2193,U+2212,U+2215,U+2248,U+2260,U+2264-2265,U+25A1,U+25CA,U+FFFD \
    --layout-features=kern,mark,mkmk,ccmp,locl --no-hinting --desubroutinize --notdef-outline --name-IDs='*'
done
