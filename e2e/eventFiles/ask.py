"""Runs the statements of docs/events-files.md in DuckDB on the files of a folder, once for each case of its expected.json, and prints what came of them as JSON."""

import datetime
import json
import pathlib
import re
import sys

import duckdb

WINDOW = re.compile(r"\n.*interval '336' hour")
NO_CAP = 10**30


def statements(document):
    """The statement that makes the view, and those for conversions and for sums."""
    view, conversion, total = re.findall(r"```sql\n(.*?)```", document.read_text(), re.DOTALL)
    return view, conversion, total


def replaced(statement, old, new):
    assert old in statement, f"{old!r} is not in the document"
    return statement.replace(old, str(new))


def statement_of(case, conversion, total):
    statement = conversion if case["amount"] == "one" else total
    statement = replaced(statement, "4001", case["experiment"])
    statement = replaced(statement, "'purchase'", f"'{case['name']}'")
    if case["windowHours"] is None:
        statement, count = WINDOW.subn("", statement)
        assert count == 1, "the document has no line with the interval"
    else:
        statement = replaced(statement, "'336'", f"'{case['windowHours']}'")
    if case["amount"] == "value":
        statement = replaced(statement, "coalesce(done.revenue, 0)", "coalesce(done.value, 0) * 1000000")
    if case["amount"] != "one":
        statement = replaced(statement, "50000", case["cap"] or NO_CAP)
    return statement


def day_number(day):
    return (day - datetime.date(1970, 1, 1)).days


folder, document = sys.argv[1], pathlib.Path(__file__).parents[2] / "docs/events-files.md"
view, conversion, total = statements(document)
database = duckdb.connect()
database.execute(replaced(view, "'events/", f"'{folder}/"))
answers = []
for case in json.loads(pathlib.Path(folder, "expected.json").read_text()):
    rows = database.execute(statement_of(case, conversion, total)).fetchall()
    answers.append([[str(variation), str(day_number(day)), *(str(int(sums)) for sums in each)] for variation, day, *each in rows])
print(json.dumps(answers))
