"""Runs docs/sql/ENGINE.sql on the files of a folder, once for each case of its expected.json, and prints what came of them as ask.py does.

queryEngines.py ENGINE FOLDER, where ENGINE is clickhouse (needs the package chdb) or spark (needs pyspark and a Java).
"""

import datetime
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[2]
WINDOW = re.compile(r"\n *and done\.time < .*336.*")
NO_CAP = 10**30
AMOUNTS = {"one": "conversion, at most 1", "revenue": "revenue", "value": "value, in millionths"}


def replaced(text, old, new):
    assert old in text, f"{old!r} is not in the document"
    return text.replace(old, str(new))


def parts(document):
    """The amounts that the comments name, and the two statements."""
    amounts = {key: re.search(rf"^-- {name}: (.*)$", document, re.MULTILINE)[1] for key, name in AMOUNTS.items()}
    bare = re.sub(r"^--.*\n", "", document, flags=re.MULTILINE)
    view, question = [statement.strip() for statement in bare.split(";") if statement.strip()]
    return amounts, view, question


def question_of(case, amounts, question):
    question = replaced(question, "4001", case["experiment"])
    question = replaced(question, "'purchase'", f"'{case['name']}'")
    if case["windowHours"] is None:
        question, count = WINDOW.subn("", question)
        assert count == 1, "the document has no line with the window"
    else:
        question = replaced(question, "336", case["windowHours"])
    cap = 1 if case["amount"] == "one" else case["cap"] or NO_CAP
    question = replaced(question, "50000", cap)
    return replaced(question, amounts["revenue"], amounts[case["amount"]])


def clickhouse(view):
    from chdb.session import Session

    session = Session()
    session.query(view)

    def ask(question):
        text = str(session.query(question, "TabSeparated"))
        rows = [line.split("\t") for line in text.splitlines()]
        return [(variation, datetime.date.fromisoformat(day), *sums) for variation, day, *sums in rows]

    return ask


def spark(view):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        # No session's time zone may change a sum.
        "spark.sql.session.timeZone": "Pacific/Apia",
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sql(view)
    return lambda question: [tuple(row) for row in session.sql(question).collect()]


def day_number(day):
    return (day - datetime.date(1970, 1, 1)).days


engine, folder = sys.argv[1:]
amounts, view, question = parts((ROOT / f"docs/sql/{engine}.sql").read_text())
ask = {"clickhouse": clickhouse, "spark": spark}[engine](replaced(view, "'events/", f"'{folder}/"))
answers = []
for case in json.loads(pathlib.Path(folder, "expected.json").read_text()):
    rows = ask(question_of(case, amounts, question))
    answers.append([[str(variation), str(day_number(day)), *(str(int(sums)) for sums in each)] for variation, day, *each in rows])
print(json.dumps(answers))
