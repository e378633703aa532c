#!/bin/sh
# The schema of the database at DATABASE_URL, in lines that can be compared: what there is and who may do what with it, in an
# order that does not depend on which migration made it, or when. Without the migrations' own table.
#   matchbook db with --temporary -- sh -c 'matchbook db migrate && scripts/schema.sh' >schema.txt
#   scripts/schema.sh --no-rows      for a database in use: without the rows that stand in it
set -eu
# Sorted alike on every machine. Names come with their schema, as nothing is found without it.
ask() {
    found=$(psql -XAtq -v ON_ERROR_STOP=1 -F ' | ' "${DATABASE_URL:?}" -c "set search_path = pg_catalog" "$@")
    [ -z "$found" ] || printf '%s\n' "$found" | LC_ALL=C sort
}
lines() { echo; echo "# $1"; shift; ask -c "$1"; }
# What we made: neither the server's own, nor the migrations'.
ours="n.nspname !~ '^(pg_|information_schema)'"
table="$ours and c.relname <> '_sqlx_migrations'"
tables="pg_class c join pg_namespace n on n.oid = c.relnamespace"
name="n.nspname || '.' || c.relname"
# Grants, one a line: to whom, what, by whom, and whether they may pass it on.
granted="coalesce(nullif(g.grantee, 0)::regrole::text, 'public'), g.privilege_type, g.grantor::regrole, g.is_grantable"

echo "# Roles: name, superuser, inherits, creates roles, creates databases, logs in, replicates, bypasses policies, limit"
ask -c "select rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls,
        rolconnlimit
    from pg_roles where rolname !~ '^pg_'"
lines "Members: role, member, by, admin" "select roleid::regrole, member::regrole, grantor::regrole, admin_option
    from pg_auth_members where roleid::regrole::text !~ '^pg_'"
lines "Settings: role, settings" "select coalesce(nullif(setrole, 0)::regrole::text, 'all'), setconfig
    from pg_db_role_setting where setdatabase in (0, (select oid from pg_database where datname = current_database()))"
lines "Database: owner, encoding, collation, ctype, provider" \
    "select datdba::regrole, pg_encoding_to_char(encoding), datcollate, datctype, datlocprovider
    from pg_database where datname = current_database()"
lines "Grants on the database" "select $granted from pg_database d, aclexplode(coalesce(datacl, acldefault('d', datdba))) g
    where datname = current_database()"
lines "Schemas: name, owner" "select nspname, nspowner::regrole from pg_namespace n where $ours"
lines "Grants on schemas" "select nspname, $granted
    from pg_namespace n, aclexplode(coalesce(nspacl, acldefault('n', nspowner))) g where $ours"
lines "Default grants" "select defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype, $granted
    from pg_default_acl, aclexplode(defaclacl) g"
lines "Extensions" "select extname, extversion, extnamespace::regnamespace, extowner::regrole from pg_extension"
lines "Types of our own" "select format_type(t.oid, null), typtype, typowner::regrole,
        format_type(nullif(typbasetype, 0), typtypmod), typdefault,
        (select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum where enumtypid = t.oid)
    from pg_type t join pg_namespace n on n.oid = t.typnamespace where $ours and typtype <> 'b' and typtype <> 'c'"
lines "Tables, views and sequences: name, kind, owner, persistence, options, row security, forced, identity, access, place" \
    "select $name, relkind, relowner::regrole, relpersistence, (select array_agg(o order by o) from unnest(reloptions) o),
        relrowsecurity, relforcerowsecurity, relreplident, (select amname from pg_am where oid = relam), reltablespace
    from $tables where $table and relkind in ('r', 'p', 'v', 'm', 'S', 'f')"
lines "Tables' tails: name, options of what is stored apart" "select $name, o.reloptions from $tables
    join pg_class o on o.oid = c.reltoastrelid where $table and o.reloptions is not null"
lines "Grants on tables, views and sequences" "select $name, $granted from $tables,
        aclexplode(coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::\"char\", relowner))) g
    where $table and relkind in ('r', 'p', 'v', 'm', 'S', 'f')"
lines "Columns: name, type, not null, default, identity, generated, collation, storage, compression, statistics, options" \
    "select $name || '.' || attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid),
        attidentity, attgenerated, nullif(attcollation, 0)::regcollation, attstorage, attcompression, attstattarget,
        attoptions
    from $tables join pg_attribute a on attrelid = c.oid left join pg_attrdef on adrelid = c.oid and adnum = attnum
    where $table and relkind in ('r', 'p', 'v', 'm', 'f') and attnum > 0 and not attisdropped"
lines "Grants on columns" "select $name || '.' || attname, $granted
    from $tables join pg_attribute a on attrelid = c.oid, aclexplode(attacl) g where $table and not attisdropped"
lines "Constraints: table, name, kind, what, can be deferred, is deferred, holds for what is there" \
    "select $name, conname, contype, pg_get_constraintdef(k.oid), condeferrable, condeferred, convalidated
    from $tables join pg_constraint k on conrelid = c.oid where $table"
lines "Indexes: table, what, valid, clustered, identity, statistics of its columns" \
    "select $name, pg_get_indexdef(indexrelid), indisvalid and indisready, indisclustered, indisreplident,
        (select array_agg(attstattarget order by attnum) from pg_attribute where attrelid = indexrelid)
    from $tables join pg_index on indrelid = c.oid where $table"
lines "Triggers: table, what, enabled" "select $name, pg_get_triggerdef(t.oid), tgenabled
    from $tables join pg_trigger t on tgrelid = c.oid where $table and not tgisinternal"
lines "Rules and views: table, what" "select $name, regexp_replace(pg_get_ruledef(r.oid), E'\\\\s+', ' ', 'g')
    from $tables join pg_rewrite r on ev_class = c.oid where $table"
lines "Sequences: name, type, start, least, most, step, cycles, cache, owned by" \
    "select $name, seqtypid::regtype, seqstart, seqmin, seqmax, seqincrement, seqcycle, seqcache,
        (select $name || '.' || attname from $tables join pg_attribute on attrelid = c.oid join pg_depend on refobjid = c.oid
            and refobjsubid = attnum where objid = seqrelid and deptype in ('a', 'i') and classid = 'pg_class'::regclass)
    from $tables join pg_sequence on seqrelid = c.oid where $table"
lines "Policies" "select * from pg_policies where schemaname !~ '^pg_'"
lines "Statistics" "select pg_get_statisticsobjdef(oid), stxowner::regrole, stxstattarget from pg_statistic_ext"
lines "Text search: name, owner, parser; and what it maps" \
    "select n.nspname, cfgname, cfgowner::regrole, prsname, maptokentype, mapdict::regdictionary, mapseqno
    from pg_ts_config t join pg_namespace n on n.oid = cfgnamespace join pg_ts_parser p on p.oid = cfgparser
        left join pg_ts_config_map on mapcfg = t.oid where $ours"
lines "Collations, operators, casts, event triggers, publications: how many" "select
    (select count(*) from pg_collation join pg_namespace n on n.oid = collnamespace where $ours),
    (select count(*) from pg_operator join pg_namespace n on n.oid = oprnamespace where $ours),
    (select count(*) from pg_cast where oid >= 16384), (select count(*) from pg_event_trigger), (select count(*) from pg_publication)"
lines "Functions: name, owner, and its text, in one line" "select n.nspname || '.' || proname, proowner::regrole,
        replace(pg_get_functiondef(p.oid), E'\\n', E'\\\\n')
    from pg_proc p join pg_namespace n on n.oid = pronamespace where $ours and prokind <> 'a'"
lines "Grants on functions" "select n.nspname, p.oid::regprocedure, $granted
    from pg_proc p join pg_namespace n on n.oid = pronamespace,
        aclexplode(coalesce(proacl, acldefault('f', proowner))) g
    where $ours"
lines "Comments" "select (pg_identify_object(classoid, objoid, objsubid)).identity, description
    from pg_description where objoid >= 16384"
[ "${1:-}" != --no-rows ] || exit 0
echo
echo "# Rows"
# How often the archive changed is counted in the row of whichever connection changed it; migrations count as well.
ask -c "select format('%I.%I', n.nspname, c.relname) from $tables where $table and relkind in ('r', 'p')" |
    while read -r one; do ask -c "select '$one', to_jsonb(t) from $one t"; done |
    sed '/^public.archive_version /s/"n": [0-9]*/"n": COUNT/' | LC_ALL=C sort
