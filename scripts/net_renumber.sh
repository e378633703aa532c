#!/bin/sh
# Makes this program open a copy of data from before 0.2.0. For scripts/net.sh alone, which compares two programs on it:
#   PREPARE='scripts/net_renumber.sh BINARY' PRISTINE=DATA scripts/net.sh BINARY FOLDER
# Its last schema is the same as that of migrations/0034 to 0040, so only the table of migrations is written anew. This is
# no way to upgrade: nobody tests such databases, and the program refuses them on purpose.
set -eu
binary=$1
cd "$(dirname "$0")/../migrations"
{
    cat <<'SQL'
begin;
do $$ begin
    if (select max(version) from _sqlx_migrations) <> 33 then raise 'this is no data from before 0.2.0'; end if;
end $$;
delete from _sqlx_migrations;
SQL
    for file in 0034_*.sql 0035_*.sql 0036_*.sql 0037_*.sql 0038_*.sql 0039_*.sql 0040_*.sql; do
        version=${file%%_*} name=${file#*_}
        echo "insert into _sqlx_migrations (version, description, success, checksum, execution_time) values" \
            "($version, '$(echo "${name%.sql}" | tr _ ' ')', true, '\\x$(sha384sum "$file" | cut -d' ' -f1)', 0);"
    done
    echo "commit;"
} | "$binary" db psql -- -q -v ON_ERROR_STOP=1
