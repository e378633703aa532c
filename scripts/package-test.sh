#!/bin/bash
# Installs the package in a clean Debian with a systemd of its own, follows docs/operating.md there word for word, and
# upgrades, removes and purges it: the record must outlive all of it. As root; make package makes the packages.
#   scripts/package-test.sh OLDER.deb NEWER.deb     of the same program; the second has a higher revision
# Only apt-get reaches the network. KEEP=FOLDER leaves the system there, to look at.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "scripts/package-test.sh makes a system of its own: run it as root" >&2; exit 1; }
older=$(realpath "$1") newer=$(realpath "$2")
page=docs/operating.md
work=${KEEP:-$(mktemp -d)}
root=$work/root
mkdir -p "$work"
init=
step() { printf '\n== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

# A system of Debian in a folder, which has never seen Matchbook.
make_root() {
    mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --include="$2" bookworm "$1"
    cp /etc/resolv.conf "$1/etc/resolv.conf"
}

# Systemd in namespaces of its own, as in a container. The network has only a loopback; apt-get alone goes out.
boot() {
    local groups
    groups=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)/matchbook-$$
    mkdir "$groups"
    # shellcheck disable=SC2016
    sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec unshare --mount --pid --ipc --uts --net --cgroup --fork --kill-child "$@"' \
        - "$groups" sh -ec '
        mount --make-rprivate /
        mount --bind "$1" "$1" && cd "$1"
        mount -t proc proc proc
        mount -t sysfs -o ro sysfs sys
        for folder in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs $folder; done
        chmod 1777 tmp
        touch run/network && mount --bind "/proc/$2/ns/net" run/network
        mkdir dev/pts dev/shm
        mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
        mount -t tmpfs tmpfs dev/shm
        for device in null zero full random urandom tty; do touch dev/$device && mount --bind /dev/$device dev/$device; done
        ln -s pts/ptmx dev/ptmx && ln -s /proc/self/fd dev/fd
        mount -t cgroup2 cgroup2 sys/fs/cgroup
        ip link set lo up
        mkdir -p .before && pivot_root . .before
        exec env -i container=matchbook PATH=/usr/sbin:/usr/bin chroot . sh -c "umount -l /.before && exec /lib/systemd/systemd"
        ' - "$root" $$ >"$work/boot.log" 2>&1 &
    outer=$!
    trap stop EXIT
    for _ in $(seq 60); do
        sleep 1
        init=$(pgrep -P "$outer" | head -n 1 || true)
        [ -z "$init" ] || ! inside systemctl is-system-running >/dev/null 2>&1 || return 0
    done
    cat "$work/boot.log" >&2
    fail "the system does not start"
}

stop() {
    status=$?
    trap - EXIT
    if [ -n "$init" ]; then
        [ "$status" = 0 ] || inside sh -c "journalctl --no-pager -n 60 -u 'matchbook*'; tail -n 20 /tmp/cluster/log/*" >&2 || true
        kill -s SIGRTMIN+3 "$init" 2>/dev/null || true
        wait "$outer" || true
    fi
    umount "$work/image/proc" "$work/image/dev/shm" 2>/dev/null || true
    # Systemd made groups below its own.
    find "$(findmnt -n -t cgroup2 -o TARGET | head -n 1)/matchbook-$$" -depth -type d -exec rmdir {} \; 2>/dev/null || true
    [ -n "${KEEP:-}" ] || rm -rf "$work"
    exit "$status"
}

inside() { nsenter -t "$init" --all env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
matchbook() { inside runuser -u matchbook -- matchbook "$1" "${@:2}"; }
sql() { matchbook db --data-dir /var/lib/matchbook psql -- -AtXqc "$1" | tr -d '\r'; }

# The blocks of a section of the page that a shell can run, in order, as somebody pastes them.
blocks() {
    awk -v wanted="## $1" '/^## / { here = $0 == wanted } here && /^```sh$/ { on = 1; printf "printf \"\\n-- %s:%d\\n\"\n", FILENAME, NR; next }
        /^```$/ { on = 0 } on' "$page"
}
follow() {
    step "the page: $1"
    followed="$followed$1
"
    { echo 'set -eo pipefail; cd /root'; blocks "$1"; } >"$root/root/page"
    inside bash /root/page 2>&1 | tee "$work/said"
}
said() { grep -qF -- "$1" "$work/said" || fail "nothing said: $1"; }

# Whoever follows the page has a name in the DNS and a certificate; here both are made up.
stand_in() {
    printf '127.0.0.1 localhost record.example.org\n127.0.1.1 %s\n' "$(hostname)" >"$root/etc/hosts"
    cat >"$root/usr/local/sbin/apt-get" <<'END'
#!/bin/sh
exec nsenter --net=/run/network /usr/bin/apt-get "$@"
END
    cat >"$root/usr/local/bin/certbot" <<'END'
#!/bin/sh
live=/etc/letsencrypt/live/record.example.org
mkdir -p $live
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 9 -subj /CN=record.example.org \
    -addext subjectAltName=DNS:record.example.org -keyout $live/privkey.pem -out $live/fullchain.pem 2>/dev/null
cp $live/fullchain.pem /usr/local/share/ca-certificates/record.crt
update-ca-certificates >/dev/null
END
    chmod 755 "$root/usr/local/sbin/apt-get" "$root/usr/local/bin/certbot"
}

# What a command must say before long.
waits_for() {
    local sought=$1
    shift
    for _ in $(seq 60); do
        "$@" >"$work/said" 2>&1 || true
        ! grep -qF -- "$sought" "$work/said" || return 0
        sleep 1
    done
    cat "$work/said" >&2
    fail "never said: $sought"
}
address() { inside curl -sS "https://record.example.org$1" "${@:2}"; }

acts=0
# A match is opened by its address for the world.
act() {
    acts=$((acts + 1))
    address /api/v1/matches -w ' %{http_code}\n' -H "authorization: Bearer $token" -H "idempotency-key: act-$acts" \
        -H 'content-type: application/json' \
        -d '{"ruleset": "five-card-trick/dm-colosseum-2", "players": {"p1": "Ada", "p2": "Bo"}, "mode": "live", "clocks": "off"}'
}
# And the whole log is right.
serves() {
    step "it serves and records: $1"
    waits_for ready address /readyz
    act >"$work/said"
    said " 201"
    local now
    now=$(sql 'select count(*) from entries')
    [ "$now" -gt "$entries" ] || fail "there were $entries entries, and are $now"
    entries=$now
    matchbook audit --data-dir /var/lib/matchbook >"$work/said"
    said "nothing is wrong"
    echo "$entries entries, PostgreSQL $(sql 'show server_version')"
}

entries=0 followed=
step "a clean Debian"
make_root "$root" systemd,systemd-sysv,dbus,ca-certificates,openssl
stand_in
boot
inside apt-get update -qq

cp "$older" "$root/root/"
follow "Quick start"
said "https://record.example.org/sign-in"
said "nothing is wrong"
[ "$(inside stat -c %a:%U /etc/matchbook/environment /var/lib/matchbook /var/lib/matchbook-checkpoint | tr '\n' ' ')" = \
    "600:root 700:matchbook 700:matchbook " ] || fail "the rights"
token=$(matchbook token add Ada test --scope umpire --data-dir /var/lib/matchbook | tr -d '\r\n')
mkdir -p "$root/srv/past"
cp fixtures/matches/five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn "$root/srv/past/"
matchbook import /srv/past --umpire Ada --source "our old pages" --data-dir /var/lib/matchbook
serves "after the quick start"

! inside journalctl --no-pager -u 'matchbook*' | grep -E ' (WARN|ERROR) ' || fail "who follows the page is warned"

rm "$root/root/$(basename "$older")"
cp "$newer" "$root/root/"
follow "How do I upgrade?"
said "nothing is wrong"
[ "$(inside dpkg-query -Wf '${Version}' matchbook)" = "$(dpkg-deb -f "$newer" Version)" ] || fail "the older package is there"
serves "after the upgrades"

follow "How do I back up?"
serves "after the restore"

step "an earlier moment, which is not signed"
earlier=$(sql 'select clock_timestamp()')
# pgBackRest goes to no moment within the second in which a backup ended.
sleep 2
serves "after that moment"
archived=$(sql 'select pg_walfile_name(pg_switch_wal())')
waits_for "$archived" sql 'select last_archived_wal from pg_stat_archiver'
newest=$(sql 'select timeline_id from pg_control_checkpoint()')
restore() {
    inside systemctl stop matchbook
    inside rm -r /var/lib/matchbook/postgres/cluster
    inside install -d -m 700 -o matchbook -g matchbook /var/lib/matchbook/postgres/cluster
    inside runuser -u matchbook -- pgbackrest --stanza=matchbook "$@" restore >"$work/said" 2>&1 || { cat "$work/said"; fail "$*"; }
}
restore --type=time --target="$earlier" --target-action=promote
inside systemctl start matchbook
waits_for '"signing":"stopped"' address /healthz
said "matchbook log succeed"
act >"$work/said"
said " 503"
said "Nothing new is accepted at the moment"
restore --target-timeline="$newest"
inside systemctl start matchbook
serves "the newest again"

step "keys that are lost"
inside systemctl stop matchbook
inside mv /var/lib/matchbook/keys /root/keys
status=0
matchbook serve --data-dir /var/lib/matchbook >"$work/said" 2>&1 || status=$?
[ "$status" = 4 ] || fail "it ended with $status"
said "host.key, log.key and escrow.key are missing in"
[ ! -e "$root/var/lib/matchbook/keys" ] || fail "other keys were made"
inside mv /root/keys /var/lib/matchbook/keys
inside systemctl start matchbook
serves "with the keys from where they were kept"

follow "How do I run it on several machines?"

while read -r heading; do
    [ -z "$(blocks "$heading")" ] || grep -qxF -- "$heading" <<<"$followed" || fail "nobody followed $heading"
done < <(sed -n 's/^## //p' "$page")

step "removing it"
inside apt-get remove -y -qq matchbook
! inside systemctl is-active --quiet matchbook || fail "it still runs"
[ ! -e "$root/usr/bin/matchbook" ] || fail "the program is still there"
inside apt-get install -y -qq "./root/$(basename "$newer")"
inside systemctl start matchbook
serves "after it was removed and installed again"
inside apt-get purge -y -qq matchbook
for kept in matchbook/keys/log.key matchbook/postgres/cluster/PG_VERSION matchbook-checkpoint/checkpoint matchbook-backup/last/keys/log.key; do
    inside test -s "/var/lib/$kept" || fail "$kept is gone"
done

step "the image"
image=$work/image
make_root "$image" ca-certificates
mkdir -p "$image/tmp"
cp "$newer" "$image/tmp/matchbook_newest.deb"
mount -t proc proc "$image/proc"
mount -t tmpfs -o mode=1777 tmpfs "$image/dev/shm"
sed -n 's/^RUN //p' Containerfile | chroot "$image" env DEBIAN_FRONTEND=noninteractive sh -e
mapfile -t variables < <(sed -n 's/^ENV //p' Containerfile)
inside_image() { exec chroot --userspec=matchbook "$image" env -i PATH=/usr/bin:/bin "${variables[@]}" MATCHBOOK_LISTEN=127.0.0.1:18080 "$@"; }
inside_image matchbook serve &
serving=$!
for _ in $(seq 60); do sleep 1; curl -fsS http://127.0.0.1:18080/readyz && break; done || fail "the image does not serve"
kill "$serving"
wait "$serving" || fail "the image does not stop in good order"
step "all is well"
