#!/usr/bin/env bash
# A PostgreSQL cluster for the tests of one run: nextest calls this before the first test that needs it (see nextest.toml) and hands
# the cluster's addresses to those tests. Each makes a database of its own there. The cluster lives in a temporary folder, flushes
# nothing unless `DURABLE` is `on`, and goes away with the run. Start reading at the end.
set -euo pipefail

fail() {
    echo "error: $*" >&2
    exit 1
}

# Debian keeps the server's programs out of the search path; the newest release wins.
find_programs() {
    local initdb
    initdb=$(command -v initdb || ls -v /usr/lib/postgresql/*/bin/initdb 2>/dev/null | tail -n 1)
    [ -n "$initdb" ] || fail "PostgreSQL is not installed; \`cargo xtask test\` installs it on Debian (package postgresql)"
    dirname "$(readlink -f "$initdb")"
}

# The server refuses to run as root.
as_server() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"
    else
        "$@"
    fi
}

# A client over the network has to bring a password; TLS is offered with a certificate for localhost that is made here.
make_cluster() {
    as_server tee "$folder/password" >/dev/null <<<"$password"
    as_server "$programs/initdb" --pgdata="$folder/data" --username=assay --encoding=UTF8 --no-locale --no-sync \
        --auth-local=trust --auth-host=scram-sha-256 --pwfile="$folder/password" >/dev/null
    as_server openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE \
        -keyout "$folder/data/server.key" -out "$folder/data/server.crt" 2>/dev/null
    as_server tee -a "$folder/data/postgresql.conf" >/dev/null <<-END
		listen_addresses = '127.0.0.1'
		unix_socket_directories = '$folder'
		max_connections = 500
		ssl = on
		fsync = ${DURABLE:-off}
		full_page_writes = ${DURABLE:-off}
	END
}

# A port may be taken in the moment between choosing and listening; then there is another.
start_cluster() {
    for _ in $(seq 20); do
        port=$((RANDOM % 10000 + 20000))
        if as_server "$programs/pg_ctl" start --wait --silent --pgdata="$folder/data" --log="$folder/server.log" \
            --options="-p $port" >/dev/null 2>&1 </dev/null; then
            return
        fi
    done
    fail "the server does not start: $(tail -n 5 "$folder/server.log")"
}

# When the run has ended, however it ended.
stop_after() {
    setsid bash -c "
        tail --pid=$1 --follow /dev/null
        $(declare -f as_server)
        as_server '$programs/pg_ctl' stop --mode=immediate --pgdata='$folder/data'
        rm -rf '$folder'
    " >/dev/null 2>&1 </dev/null &
}

programs=$(find_programs)
password=assay-tests
folder=$(as_server mktemp -d)
trap '[ $? = 0 ] || rm -rf "$folder"' EXIT
make_cluster
start_cluster
stop_after "$PPID"
cat >>"$NEXTEST_ENV" <<END
ASSAY_TEST_POSTGRES=postgres://assay@${folder//\//%2F}:$port
ASSAY_TEST_POSTGRES_OVER_NETWORK=postgres://assay:$password@localhost:$port
ASSAY_TEST_POSTGRES_CERTIFICATE=$folder/data/server.crt
ASSAY_TEST_POSTGRES_CREATEDB=$programs/createdb
END
