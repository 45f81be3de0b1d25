/** A screen that nobody sees, for browsers that know no other way: Xvfb, on a number that is free. */

import { spawn } from "node:child_process";
import { once } from "node:events";

const EXECUTABLE = process.env.XVFB ?? "/usr/bin/Xvfb";

/** The descriptor that it writes the number to. */
const NUMBER_TO = 3;

/** @returns {Promise<{name: string, close: () => Promise<void>}>} `name`: what `DISPLAY` is to be */
export const openDisplay = async () => {
  const flags = ["-displayfd", String(NUMBER_TO), "-screen", "0", "1280x800x24", "-nolisten", "tcp"];
  const server = spawn(EXECUTABLE, flags, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const number = await new Promise((resolve, reject) => {
    server.stdio[NUMBER_TO].once("data", resolve);
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`${EXECUTABLE} ended with code ${code}`)));
  });
  return {
    name: `:${String(number).trim()}`,
    async close() {
      if (server.exitCode === null && server.kill()) await once(server, "exit");
    },
  };
};
