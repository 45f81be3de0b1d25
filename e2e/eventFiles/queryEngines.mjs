/** Files of events as larger query engines read them: the statements of docs/sql/ get the sums that Assay's own fold gets, to the last digit. `cargo xtask query-engines` runs this. */

import { test } from "node:test";

import { addsUpAsAssayDoes } from "./randomEvents.mjs";

for (const [name, engine] of [["ClickHouse", "clickhouse"], ["Spark", "spark"]]) {
  for (const seed of [1, 2]) {
    test(`${name} adds up the random events of seed ${seed} as Assay does`, () => addsUpAsAssayDoes(seed, "queryEngines.py", [engine]));
  }
}
