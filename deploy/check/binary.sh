#!/usr/bin/env bash
# The binary runs where there is nothing else: no library, no shell, no file. It finds hosts by /etc/hosts and by DNS, and trusts
# authorities of its own. `cargo xtask dist binary --check` calls this with the binary.
set -euo pipefail
binary=$(readlink -f "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/root/{dev,etc,data,tmp}
cp "$binary" "$folder/root/assay"
echo 'nameserver 127.0.0.1' >"$folder/root/etc/resolv.conf"
echo '127.0.0.1 localhost by-file.test' >"$folder/root/etc/hosts"

fail() {
    echo "error: $*" >&2
    exit 1
}

# A DNS server that knows one name, on a network of its own, and then the command.
cat >"$folder/inside.py" <<'END'
import os, socket, subprocess, sys, threading

def answer(query):
    asks_ipv4 = query[-4:] == b"\0\1\0\1" or b"\0\0\1\0\1" in query[12:]
    known = b"\x06by-dns\x04test\0" in query and asks_ipv4
    end = query.index(b"\0", 12) + 5
    records = b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x7f\0\0\1" if known else b""
    return query[:2] + b"\x81\x80\0\1" + (b"\0\1" if known else b"\0\0") + b"\0\0\0\0" + query[12:end] + records

def serve(port):
    while True:
        query, sender = port.recvfrom(512)
        port.sendto(answer(query), sender)

port = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
port.bind(("127.0.0.1", 53))
threading.Thread(target=serve, args=(port,), daemon=True).start()
root, *command = sys.argv[1:]
empty = ["bwrap", "--ro-bind", root, "/", "--bind", root + "/data", "/data", "--bind", root + "/tmp", "/tmp", "--dev", "/dev", "--clearenv"]
sys.exit(subprocess.run([*empty, *command]).returncode)
END
alone() {
    bwrap --dev-bind / / --unshare-net --unshare-user --uid 0 --gid 0 --cap-add ALL -- python3 "$folder/inside.py" "$folder/root" "$@"
}

alone /assay --version | grep -q '^assay ' || fail "it does not start in an empty root"
alone /assay init /data/shop.yaml 2>/dev/null && alone /assay check /data/shop.yaml >/dev/null 2>&1 || fail "no file can be written and read"
# Nothing listens on port 9: what was refused was found.
for host in by-file.test by-dns.test; do
    told=$(alone /assay doctor --data /data/store --public-url "https://$host:9" --json || true)
    echo "$told" | grep -qi 'refused' || fail "$host was not found: $told"
done
told=$(alone /assay doctor --data /data/store --public-url https://unknown.test:9 --json || true)
! echo "$told" | grep -qi 'refused' || fail "an unknown host was found: $told"
echo "binary: starts in an empty root, writes and reads, finds hosts by file and by DNS"
