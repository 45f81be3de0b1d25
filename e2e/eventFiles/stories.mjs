/**
 * Files of events as others read them: DuckDB runs the statements of docs/events-files.md on random events, and gets the sums that Assay's own
 * fold gets, to the last digit.
 */

import { test } from "node:test";

import { addsUpAsAssayDoes } from "./randomEvents.mjs";

for (const seed of [1, 2]) {
  test(`DuckDB adds up the random events of seed ${seed} as Assay does`, () => addsUpAsAssayDoes(seed, "ask.py"));
}
