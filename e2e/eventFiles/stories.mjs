/**
 * Files of events as others read them: DuckDB runs the statements of docs/events-files.md on random events, and gets the sums that Assay's own
 * fold gets, to the last digit.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { PYTHON } from "../clients/pythonClient.mjs";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ASK = fileURLToPath(new URL("ask.py", import.meta.url));
const EXAMPLE = ["run", "--release", "--quiet", "--package", "lake", "--example", "random_events", "--"];

/** Answers of a few dozen cases with a row for each day. */
const BYTES_AT_MOST = 64 * 1024 * 1024;

for (const seed of [1, 2]) {
  test(`DuckDB adds up the random events of seed ${seed} as Assay does`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-event-files-"));
    try {
      await run("cargo", [...EXAMPLE, folder, String(seed)], { cwd: ROOT });
      const asked = await run(PYTHON, [ASK, folder, join(ROOT, "docs/events-files.md")], { maxBuffer: BYTES_AT_MOST });

      const cases = JSON.parse(await readFile(join(folder, "expected.json"), "utf8"));
      const answers = JSON.parse(asked.stdout);
      assert.equal(answers.length, cases.length);
      cases.forEach(({ rows, ...asked }, place) => assert.deepEqual(answers[place], rows, JSON.stringify(asked)));
      // Where there is somebody, there is something to compare.
      assert.ok(cases.filter(({ rows }) => rows.length >= 60).length >= 15);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
