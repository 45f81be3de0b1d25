/** A virtual screen, for browsers that know no other way: Xvfb, on a number that is free. */

import { once } from "node:events";

import { startProgram } from "./program.mjs";

const EXECUTABLE = process.env.XVFB ?? "/usr/bin/Xvfb";

/** The descriptor that it writes the number to. */
const NUMBER_TO = 3;

/** The server stays as it is when its last browser closes; else it starts anew then, and the next browser finds it gone and ends. */
const STAYS = "-noreset";

/** @returns {Promise<{name: string, close: () => Promise<void>}>} `name`: what `DISPLAY` is to be */
export const openDisplay = async () => {
  const flags = ["-displayfd", String(NUMBER_TO), "-screen", "0", "1280x800x24", STAYS, "-nolisten", "tcp"];
  const server = await startProgram(EXECUTABLE, flags, { stdio: ["ignore", "ignore", "pipe", "pipe"] }, async ({ stdio }) => {
    const [number] = await once(stdio[NUMBER_TO], "data");
    return `:${String(number).trim()}`;
  });
  return { name: server.shown, close: () => server.stop() };
};
