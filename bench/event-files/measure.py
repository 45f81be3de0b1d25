"""Measures results of files of events: how large they are, and what it costs a server to find the results of a campaign, beside DuckDB with the document's SQL on
the same files. Prints JSON, a row a line.

measure.py ASSAY EXAMPLE FOLDER EVENTS ROUNDS, where EXAMPLE is the built example `measured_events` of `crates/app`.
"""

import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).parents[2]

PROJECT = {
    "version": 1,
    "project": {"id": "1000", "key": "shop", "name": "Shop", "results": "on"},
    "pages": [{"id": "1001", "key": "home", "name": "Home", "conditions": ["and", ["or", {"type": "url", "match": "simple", "value": "https://www.shop.test/"}]]}],
    "events": [{"id": "9001", "key": "purchase", "name": "Purchase", "type": "custom"}],
    "metrics": [{"id": "9101", "key": "revenue", "type": "sum", "event": "purchase", "value": "revenue", "window": "14d", "cap": 50000}],
    "campaigns": [{
        "id": "3001", "key": "hero", "name": "Hero", "type": "ab_test", "status": "running", "pages": ["home"],
        "experiments": [{"id": "4001", "key": "hero", "name": "Hero", "variations": [
            {"id": "5000", "key": "original", "name": "Original", "weight": 5000}, {"id": "5001", "key": "short", "name": "Short", "weight": 5000}]}],
    }],
}


def seconds_of_children():
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def measured(command):
    """What it prints, and its seconds of wall and processor time."""
    before, start = seconds_of_children(), time.monotonic()
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return printed, time.monotonic() - start, seconds_of_children() - before


class Server:
    """A server of its own for each round: another one would remember its results."""

    def __init__(self, assay, data):
        self.ready = pathlib.Path(data) / "ready.json"
        self.ready.unlink(missing_ok=True)
        flags = ["--data", data, "--listen", "127.0.0.1:0", "--ready-file", self.ready, "--seed", pathlib.Path(data) / "project.json"]
        self.process = subprocess.Popen([assay, "serve", *flags], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.process.stdout.readline()
        self.url = json.loads(self.ready.read_text())["url"].rstrip("/")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def results(self, token):
        """The visitors and the sum of each variation, and the seconds of wall and processor time."""
        request = urllib.request.Request(f"{self.url}/v1/projects/1000/campaigns/3001/results", headers={"Authorization": f"Bearer {token}"})
        before, start = self.cpu_seconds(), time.monotonic()
        answer = json.load(urllib.request.urlopen(request))
        wall, processor = time.monotonic() - start, self.cpu_seconds() - before
        variations = answer["experiments"][0]["results"]["metrics"][0]["variations"]
        return "".join(f"{one['visitors']} {one['total']:.0f}\n" for one in variations), wall, processor


def statement(folder):
    """The document's statement for sums, without looking for doubles, which these files do not have; its last rows."""
    view, _, total = re.findall(r"```sql\n(.*?)```", (ROOT / "docs/events-files.md").read_text(), re.DOTALL)
    view = view.replace("'events/", f"'{folder}/events/")
    total = total.replace("from once where telling = 1 and", "from events where")
    total = re.sub(r"^with once as .*?\), counted as", "with counted as", total, flags=re.DOTALL)
    return f"{view}; select visitors, sum_x from ({total}) qualify row_number() over (partition by variation_id order by day desc) = 1 order by variation_id"


QUERY = """
import duckdb, sys
database = duckdb.connect()
database.execute("set enable_progress_bar = false")
view, question = sys.argv[1].split("; ", 1)
database.execute(view)
for row in database.execute(question).fetchall():
    print(*(int(one) for one in row))
"""


def row(name, seconds, events, more=""):
    wall, processor = zip(*seconds)
    print(json.dumps({
        "name": name,
        "events_per_cpu_second": round(events / statistics.median(processor)),
        "cpu_seconds": statistics.median(processor),
        "cpu_least": min(processor),
        "cpu_most": max(processor),
        "wall_seconds": statistics.median(wall),
        "more": more,
    }))


assay, example, folder, events, rounds = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
folder.mkdir(parents=True)
(folder / "project.json").write_text(json.dumps(PROJECT))
with Server(assay, folder):
    pass
written = measured([example, folder, str(events)])[1:]
token = subprocess.run(
    [assay, "token", "add", "reader", "--scope", "results:read", "--service", "--role", "analyst", "--data", folder, "--json"], check=True, capture_output=True, text=True).stdout
token = json.loads(token)["token"]
found, queries, memory = [], [], []
for _ in range(rounds):
    with Server(assay, folder) as server:
        idle = server.megabytes()
        ours, *seconds = server.results(token)
        found.append(seconds)
        memory.append(server.megabytes())
    theirs, *seconds = measured([sys.executable, "-c", QUERY, statement(folder)])
    queries.append(seconds)
    assert ours == theirs, f"the server says\n{ours}and DuckDB\n{theirs}"
size = sum(file.stat().st_size for file in folder.rglob("*.parquet"))
row("write", [written], events, f"{size / events:.1f} bytes per event")
row("results", found, events, f"{max(memory):.0f} MB at most, {idle:.0f} MB before")
row("DuckDB", queries, events)
