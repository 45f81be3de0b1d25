/** Random events in files, with the sums that Assay's own fold gets of them; and whether another program gets the same. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { PYTHON } from "../clients/pythonClient.mjs";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Of the whole workspace, so that cargo takes what it has built for the tests. */
const BUILD = ["build", "--release", "--quiet", "--workspace", "--example", "random_events"];
const EXAMPLE = join(ROOT, "target/release/examples/random_events");

/** Answers of a few dozen cases with a row for each day. */
const BYTES_AT_MOST = 64 * 1024 * 1024;

/** Has a Python program of this folder add up the events of a seed: it gets these words and their folder, and prints the rows of each case. */
export const addsUpAsAssayDoes = async (seed, program, words = []) => {
  const folder = await mkdtemp(join(tmpdir(), "assay-event-files-"));
  try {
    await run("cargo", BUILD, { cwd: ROOT });
    await run(EXAMPLE, [folder, String(seed)]);
    const asked = await run(PYTHON, [fileURLToPath(new URL(program, import.meta.url)), ...words, folder], { maxBuffer: BYTES_AT_MOST });

    const cases = JSON.parse(await readFile(join(folder, "expected.json"), "utf8"));
    const answers = JSON.parse(asked.stdout);
    assert.equal(answers.length, cases.length);
    cases.forEach(({ rows, ...asked }, place) => assert.deepEqual(answers[place], rows, JSON.stringify(asked)));
    // Where there are visitors, there is something to compare.
    assert.ok(cases.filter(({ rows }) => rows.length >= 60).length >= 15);
  } finally {
    await rm(folder, { recursive: true });
  }
};
