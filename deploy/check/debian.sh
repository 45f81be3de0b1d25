#!/usr/bin/env bash
# The package is installed into a fresh Debian, served from, upgraded, removed and purged there.
# `cargo xtask dist debian --check` calls this with the package.
set -euo pipefail
package=$(readlink -f "$1")
cache=$2
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

fail() {
    echo "error: $*" >&2
    [ ! -s "$folder/log" ] || cat "$folder/log" >&2
    exit 1
}

lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$package" || fail "lintian objects"

mkdir -p "$(dirname "$cache")"
[ -s "$cache" ] || mmdebstrap --quiet --variant=minbase --include=adduser,init-system-helpers bookworm "$cache"
root=$folder/debian
mkdir "$root"
tar --extract --file "$cache" --directory "$root"
chmod 0755 "$folder"
inside() {
    bwrap --bind "$root" / --proc /proc --dev /dev --unshare-pid --die-with-parent --clearenv \
        --setenv PATH /usr/sbin:/usr/bin:/sbin:/bin --setenv DEBIAN_FRONTEND noninteractive "$@"
}
install_package() {
    cp "$1" "$root/tmp/assay.deb"
    inside dpkg --install /tmp/assay.deb >"$folder/log" 2>&1 || fail "dpkg does not install it"
}
# With the settings of the unit, as its user.
as_service() {
    inside bash -c 'set -a; . /etc/assay/assay.env; exec setpriv --reuid=assay --regid=assay --clear-groups "$@"' bash "$@"
}
start() {
    rm -f "$root/var/lib/assay/ready.json"
    as_service /usr/bin/assay serve --listen 127.0.0.1:0 --ready-file /var/lib/assay/ready.json >"$folder/log" 2>&1 &
    server=$!
    timeout 60 bash -c "until [ -s '$root/var/lib/assay/ready.json' ]; do kill -0 $server || exit 1; read -rt 0.1 <> <(:) || true; done" || fail "it does not start"
    address=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["listening"])' "$root/var/lib/assay/ready.json")
    as_service /usr/bin/assay ready --listen "$address" || fail "it is not ready"
}
stop() {
    kill "$server"
    wait "$server" 2>/dev/null || true
    server=
}

install_package "$package"
inside id assay >/dev/null || fail "there is no user"
[ "$(inside stat --format %U:%a /var/lib/assay)" = assay:700 ] || fail "others can look into the data"
[ "$(inside stat --format %U:%a /etc/assay/assay.env)" = root:640 ] || fail "others can read the settings"
[ -L "$root/etc/systemd/system/multi-user.target.wants/assay.service" ] || fail "the service does not start with the machine"
if command -v systemd-analyze >/dev/null; then
    # The fresh Debian has no systemd, so that units of others are missing there.
    told=$(systemd-analyze verify --man=no --root "$root" assay.service 2>&1 || true)
    ! grep -i 'assay.service:[0-9]\|unknown\|invalid\|parse' <<<"$told" || fail "systemd objects to the unit"
fi
start
as_service /usr/bin/assay member add ada@shop.example --role owner >/dev/null 2>&1 || fail "no member can be added"
stop

echo '# changed by the administrator' >>"$root/etc/assay/assay.env"
dpkg-deb --raw-extract "$package" "$folder/next"
sed -i 's/^Version: .*/&+next/' "$folder/next/DEBIAN/control"
dpkg-deb -Znone --root-owner-group --build "$folder/next" "$folder/next.deb" >/dev/null
install_package "$folder/next.deb"
grep -q 'changed by the administrator' "$root/etc/assay/assay.env" || fail "an upgrade lost the settings"
start
as_service /usr/bin/assay member list --json | grep -q ada@shop.example || fail "an upgrade lost the data"
stop

inside dpkg --remove assay >"$folder/log" 2>&1 || fail "dpkg does not remove it"
[ ! -e "$root/usr/bin/assay" ] && [ -e "$root/etc/assay/assay.env" ] || fail "removing must leave the settings, and no more"
inside dpkg --purge assay >"$folder/log" 2>&1 || fail "dpkg does not purge it"
[ ! -e "$root/etc/assay" ] || fail "purging left settings"
[ ! -e "$root/etc/systemd/system/assay.service" ] || fail "purging left a masked service"
[ -e "$root/var/lib/assay/assay.db" ] && grep -q 'the data stays' "$folder/log" || fail "purging deleted the data, or did not tell of it"
echo "debian: installed, served, upgraded, removed and purged"
