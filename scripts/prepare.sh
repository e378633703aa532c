#!/bin/sh
# Checks the queries of the program against the schema, and writes down what building without a database needs (.sqlx/).
# For whoever changes a query or a migration. Needs the sqlx command: cargo install sqlx-cli --no-default-features --features postgres
set -eu
cd "$(dirname "$0")/.."
built=${CARGO_TARGET_DIR:-target}/debug/matchbook
exec "$built" db with --temporary -- sh -euc '
    for migration in migrations/*.sql; do psql --quiet --set ON_ERROR_STOP=1 --file "$migration"; done
    SQLX_OFFLINE=false cargo sqlx prepare --workspace -- --all-features
'
