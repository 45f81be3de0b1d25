/** The scripts that are compared: an empty one, the hand-written floor, and ours, as the compiler made it. */

import { readFile } from "node:fs/promises";

export const CANDIDATES = ["empty", "floor", "ours"];

/** `snippet`: path of the compiled project of that many experiments. */
export const scriptsFor = async (size, snippet) => {
  const floor = await readFile(new URL("floor.js", import.meta.url), "utf8");
  const experiments = Array.from({ length: size }, (_, number) => experiment(number)).flat();
  return {
    empty: "",
    floor: `//# allFunctionsCalledOnLoad\n${floor.replace("__EXPERIMENTS__", JSON.stringify(experiments))}`,
    ours: await readFile(snippet, "utf8"),
  };
};

/** As xtask/src/measure/generated_project.rs numbers and names campaigns, experiments and their two variations. */
const experiment = (number) => [10_000 + number, 20_000 + number, `Test ${number}`, 30_000 + number, "Original", 40_000 + number, "Changed"];
