/** A program that a browser needs, or is: it is there when it has shown so, and gone when it is stopped. */

import { spawn } from "node:child_process";
import { once } from "node:events";

/** Longer than any takes to start on a busy machine. */
const START_MS = 60_000;

/**
 * @template Shown
 * @typedef {object} Program
 * @property {Shown} shown what it showed when it was ready
 * @property {(ask?: () => Promise<unknown>) => Promise<void>} stop `ask`: how it is asked to end; if left out, by a signal
 */

/**
 * @template Shown
 * @param {string} executable
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @param {(program: import("node:child_process").ChildProcess) => Promise<Shown>} ready
 * @returns {Promise<Program<Shown>>} a program that ends before it is ready fails with what it said
 */
export const startProgram = async (executable, args, options, ready) => {
  const program = spawn(executable, args, { stdio: ["ignore", "ignore", "pipe"], ...options });
  const end = endOf(program, executable);
  const tooLate = setTimeout(() => program.kill("SIGKILL"), START_MS);
  const shown = await Promise.race([ready(program), end]).finally(() => clearTimeout(tooLate));
  return {
    shown,
    async stop(ask = async () => program.kill()) {
      if (program.exitCode !== null || program.signalCode !== null) return;
      await Promise.all([once(program, "exit"), ask()]);
    },
  };
};

/** Never comes to anything but an error. */
const endOf = (program, executable) => {
  let said = "";
  program.stderr.on("data", (text) => (said += text));
  const end = new Promise((_, reject) => {
    program.once("error", reject);
    program.once("exit", (code, signal) => reject(new Error(`${executable} ended with ${code ?? signal}: ${said}`)));
  });
  // Once it runs, it may end.
  end.catch(() => undefined);
  return end;
};
