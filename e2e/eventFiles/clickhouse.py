"""ClickHouse's engine (chDB) behind the part of its HTTP interface that a sink uses. Prints its address; then answers each line, a query as a JSON text, with the rows as JSON.

A real server lists its settings in the address too, and refuses those that it does not know.
"""

import json
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from chdb.session import Session

# What the interface itself reads of an address; all else is a setting of the engine.
OWN = {"query", "wait_end_of_query"}
session = Session()
one_at_a_time = threading.Lock()


def run(query, settings=None):
    with one_at_a_time:
        for name, value in (settings or {}).items():
            session.query(f"SET {name} = '{value}'")
        return str(session.query(query, "JSONCompactEachRow"))


class Interface(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        words = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        lines = self.rfile.read(int(self.headers["content-length"])).decode()
        try:
            answer, status, code = run(f"{words['query']}\n{lines}", {name: words[name] for name in words.keys() - OWN}), 200, None
        except Exception as error:
            answer, status, code = str(error), 500, re.search(r"Code: (\d+)", str(error))
        body = answer.encode()
        self.send_response(status)
        if code:
            self.send_header("X-ClickHouse-Exception-Code", code[1])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """It would log every request."""


class Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        """A client that has its answer may be gone: no error."""


server = Server(("127.0.0.1", 0), Interface)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps(f"http://127.0.0.1:{server.server_port}"), flush=True)
for line in sys.stdin:
    print(json.dumps([json.loads(row) for row in run(json.loads(line)).splitlines()]), flush=True)
