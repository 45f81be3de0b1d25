/** A port that no program listens on, for the few stories that must know it before the server starts. */

import { once } from "node:events";
import { createServer } from "node:net";

/** @returns {Promise<number>} */
export const freePort = async () => {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
};
