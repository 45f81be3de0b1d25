/** A server that hands its events on to ClickHouse: the table of docs/deploying.md has every column of every event as files have it. `cargo xtask query-engines` runs this. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { BINARY, startAssay } from "../site/assay.mjs";
import { answerOf } from "../site/commands.mjs";
import { BEFORE } from "../site/demoResults.mjs";
import { startProgram } from "./pythonProgram.mjs";

const PATIENCE_MS = 60_000;
/** What a format of text could get wrong. */
const AWKWARD = { id: "e1", type: "event", name: "find_mug", revenue: -1999, value: 0.1, properties: { 'a "quoted" name': "'; drop table events; --", emoji: "🫖\n\\N" } };

let engine, assay;
before(async () => {
  engine = await startProgram("clickhouse.py");
  const docs = await readFile(new URL("../../docs/deploying.md", import.meta.url), "utf8");
  const [, table] = /```sql\n(create table events[^`]*)```/.exec(docs);
  await engine.ask(table);
  assay = await startAssay({ flags: ["--seal-events", "1", "--sink", `clickhouse+${engine.told}/default/events`] });
});
after(async () => {
  await assay?.stop();
  engine?.stop();
});

/** Comes back when so many of the table's events are that. */
const have = async (count, what) => {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const [[now]] = await engine.ask(`select ${what} from events final`);
    if (Number(now) >= count) return;
    assert.ok(Date.now() < deadline, `${now} of ${count} have come: ${what}`);
  }
};

test("the table has each event once, with every column that files have", async () => {
  const { ask } = engine;
  const time = Date.now();
  const body = JSON.stringify({ project: "1000", visitor: "252773975025585681511", sent: time, events: [{ ...AWKWARD, time }] });
  const taken = await fetch(new URL("/v1/events", assay.url), { method: "POST", body });
  assert.equal(`${taken.status} ${await taken.text()}`, '202 {"accepted":1,"rejected":[],"late":[]}');
  await have(1, "countIf(revenue = -1999)");
  // When all of the demo's visitors have been there, nothing else comes.
  await have(BEFORE, "uniqExactIf(visitor, kind = 'exposure')");
  const folder = await mkdtemp(join(tmpdir(), "assay-sink-"));
  try {
    await answerOf(["events", "export", "--project", "1000", "--out", join(folder, "files"), "--data", assay.data]);
    const files = `file('${folder}/files/**/*.parquet', Parquet)`;
    const [[count]] = await ask(`select count() from ${files}`);
    assert.ok(Number(count) > 1_000, `the demo has ${count} events`);
    await have(Number(count), "count()");

    const columns = async (source) => (await ask(`describe table ${source}`)).map(([name]) => name);
    const wanted = await columns("events");
    // The day is the name of a folder.
    assert.deepEqual((await columns(files)).filter((name) => name !== "day").sort(), wanted.toSorted());
    await ask("create table of_files as events");
    await ask(`insert into of_files (${wanted}) select ${wanted} from (select * replace (lower(hex(event_id)) as event_id) from ${files})`);
    const only = async (one, other) => (await ask(`select count() from (select ${wanted} from ${one} final except select ${wanted} from ${other} final)`))[0][0];
    assert.equal(await only("of_files", "events"), 0, "rows that the sink did not get");
    assert.equal(await only("events", "of_files"), 0, "rows that only the sink got");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the doctor tries the table, and says so where there is none", async () => {
  const looked = async (table) => {
    const flags = ["doctor", "--data", assay.data, "--sink", `clickhouse+${engine.told}/default/${table}`, "--listen", "127.0.0.1:0", "--json"];
    const { stdout } = await promisify(execFile)(BINARY, flags).catch((failed) => failed);
    const { state, message } = JSON.parse(stdout).find(({ check }) => check === "sink");
    return `${state}: ${message}`;
  };

  assert.match(await looked("events"), /^ok: 127\.0\.0\.1 takes events/);
  assert.match(await looked("nothing"), /^error: .*Table default\.nothing does not exist/);
});
