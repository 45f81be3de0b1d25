"""Measures files of events: how large they are, and what it costs to write and to add up, beside DuckDB with the document's SQL on the same files. Prints JSON, a row a line.

measure.py EXAMPLE FOLDER EVENTS, where EXAMPLE is the built example `measured_events` of `crates/lake`.
"""

import json
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import time

ROUNDS = 5
ROOT = pathlib.Path(__file__).parents[2]


def measured(command):
    """What it prints, and its seconds of wall and processor time."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return printed, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def statement(folder):
    """The document's statement for sums, without looking for doubles, which these files do not have; its last rows."""
    view, _, total = re.findall(r"```sql\n(.*?)```", (ROOT / "docs/events-files.md").read_text(), re.DOTALL)
    view = view.replace("'events/", f"'{folder}/")
    total = total.replace("from once where telling = 1 and", "from events where")
    total = re.sub(r"^with once as .*?\), counted as", "with counted as", total, flags=re.DOTALL)
    return f"{view}; select variation_id, visitors, sum_x, sum_x2 from ({total}) qualify row_number() over (partition by variation_id order by day desc) = 1 order by 1"


QUERY = """
import duckdb, sys
database = duckdb.connect()
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


example, folder, events = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
writes, folds, queries = [], [], []
for _ in range(ROUNDS):
    writes.append(measured([example, "write", folder, str(events)])[1:])
    ours, *seconds = measured([example, "fold", folder])
    folds.append(seconds)
    theirs, *seconds = measured([sys.executable, "-c", QUERY, statement(folder)])
    queries.append(seconds)
    assert ours == theirs, f"the fold says\n{ours}and DuckDB\n{theirs}"
size = sum(file.stat().st_size for file in folder.rglob("*.parquet"))
row("write", writes, events, f"{size / events:.1f} bytes per event")
row("fold", folds, events)
row("DuckDB", queries, events)
