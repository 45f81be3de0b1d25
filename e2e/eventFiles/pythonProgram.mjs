/** A Python program of this folder that tells something of itself as a line of JSON, and then answers lines of JSON with lines of JSON. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { PYTHON } from "../clients/pythonClient.mjs";

/** Starts it; `told` is its first line. It ends when its input ends. */
export const startProgram = async (name) => {
  const program = spawn(PYTHON, [fileURLToPath(new URL(name, import.meta.url))], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const answer = async () => JSON.parse((await answers.next()).value);
  const told = await answer();
  const ask = (question) => {
    program.stdin.write(`${JSON.stringify(question)}\n`);
    return answer();
  };
  return { told, ask, stop: () => program.stdin.end() };
};
