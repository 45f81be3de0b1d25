/** A proxy that asks the web for what a browser wants, and lets nothing but this machine be reached. */

import { once } from "node:events";
import { createServer, request } from "node:http";

/** @returns {Promise<{address: string, close: () => void}>} host and port */
export const startForwardProxy = async () => {
  const proxy = createServer((asked, answer) => {
    const { hostname, port, pathname, search } = new URL(asked.url, `http://${asked.headers.host}`);
    if (hostname !== "127.0.0.1") return void answer.writeHead(502).end();
    const options = { hostname, port, path: pathname + search, method: asked.method, headers: asked.headers };
    const forwarded = request(options, (answered) => {
      answer.writeHead(answered.statusCode, answered.rawHeaders);
      answered.pipe(answer);
    });
    forwarded.once("error", () => answer.destroy());
    asked.pipe(forwarded);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return { address: `127.0.0.1:${proxy.address().port}`, close: () => proxy.closeAllConnections() ?? proxy.close() };
};
