#!/usr/bin/env bash
# The image is what tools of others take, and its root file system serves: as a user without rights, on a root that is read-only, with
# what it must keep in the volume. `cargo xtask dist image --check` calls this with the archive.
set -euo pipefail
archive=$(readlink -f "$1")
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

fail() {
    echo "error: $*" >&2
    [ ! -s "$folder/log" ] || cat "$folder/log" >&2
    exit 1
}

skopeo inspect "oci-archive:$archive" >"$folder/inspected.json"
skopeo inspect --config "oci-archive:$archive" >"$folder/config.json"
skopeo copy --quiet "oci-archive:$archive" "oci:$folder/layout:checked"
skopeo copy --quiet "docker-archive:$archive" "dir:$folder/docker" || fail "\`docker load\` of old versions does not take it"
umoci unpack --image "$folder/layout:checked" "$folder/bundle" >/dev/null
root=$folder/bundle/rootfs

python3 - "$folder" <<'END'
import json, sys
config = json.load(open(f"{sys.argv[1]}/config.json"))["config"]
assert config["User"] == "65532:65532", config
assert config["Entrypoint"] == ["/usr/bin/assay"] and config["Cmd"] == ["serve"], config
assert "/data" in config["Volumes"] and "8080/tcp" in config["ExposedPorts"], config
spec = json.load(open(f"{sys.argv[1]}/bundle/config.json"))
assert spec["process"]["user"] == {"uid": 65532, "gid": 65532}, spec["process"]["user"]
END
[ "$(stat --format %u:%a "$root/data")" = 65532:700 ] || fail "the volume does not belong to the user"
[ "$(find "$root" -perm /6000 | wc -l)" = 0 ] || fail "files with the rights of their owner"

# As an engine would: the user, nothing else to see, the variables of the image, a volume, and a root that is read-only.
volume=$folder/volume
install -d -m 0700 -o 65532 -g 65532 "$volume"
chmod 0755 "$folder" "$folder/bundle" "$root"
contained() {
    setpriv --reuid=65532 --regid=65532 --clear-groups bwrap --ro-bind "$root" / --bind "$volume" /data --tmpfs /tmp --proc /proc \
        --dev /dev --unshare-pid --unshare-ipc --die-with-parent --clearenv --chdir /data \
        --setenv SSL_CERT_FILE /etc/ssl/certs/ca-certificates.crt "$@"
}
start() {
    rm -f "$volume/ready.json"
    contained /usr/bin/assay serve --listen 127.0.0.1:0 --ready-file /data/ready.json >"$folder/log" 2>&1 &
    server=$!
    timeout 60 bash -c "until [ -s '$volume/ready.json' ]; do kill -0 $server || exit 1; read -rt 0.1 <> <(:) || true; done" || fail "it does not start"
    address=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["listening"])' "$volume/ready.json")
}
stop() {
    kill "$server"
    wait "$server" 2>/dev/null || true
    server=
}

start
contained /usr/bin/assay ready --listen "$address" || fail "the health check does not see it"
curl --silent --fail "http://$address/readyz" >/dev/null || fail "it does not answer"
contained /usr/bin/assay member add ada@shop.example --role owner --json >/dev/null 2>&1 || fail "no member can be added"
stop
! contained /usr/bin/assay ready --listen "$address" 2>/dev/null || fail "the health check sees what is not there"
start
contained /usr/bin/assay member list --json | grep -q ada@shop.example || fail "the volume was forgotten"
stop
! contained /usr/bin/assay init /usr/shop.yaml 2>/dev/null || fail "the root is not read-only"
! told=$(contained --setenv ASSAY_LISTEN 0.0.0.0:8080 /usr/bin/assay serve 2>&1) || fail "it serves secrets in the open"
echo "$told" | grep -q -- '--trusted-proxy' || fail "what is missing is not told: $told"
echo "image: skopeo and umoci read it; it serves as user 65532 on a read-only root, is checked, and keeps its data"
