/**
 * A slow line between the browser and the server: of one page, it lets the next piece through only when told. Everything else
 * passes at once. So a story can look at a page while it arrives, without a clock.
 */

import { once } from "node:events";
import { createServer } from "node:http";

/**
 * @typedef {object} SlowLine
 * @property {string} url where the browser connects
 * @property {() => boolean} sendNext lets one more piece through; tells whether there was one
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string} target the server's address
 * @param {string} slowPath the page that arrives in pieces
 * @param {string[]} cuts texts of the page; each opens a piece
 * @returns {Promise<SlowLine>}
 */
export const slowLine = async (target, slowPath, cuts) => {
  /** @type {(() => void)[]} */
  const waiting = [];
  const server = createServer(async (request, response) => {
    const answer = await fetch(target + request.url);
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, passable(answer.headers));
    if (request.url !== slowPath) return response.end(body);
    const [first, ...later] = pieces(body.toString(), cuts);
    response.write(first);
    waiting.push(...later.map((piece) => () => response.write(piece)), () => response.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    sendNext() {
      const send = waiting.shift();
      send?.();
      return send !== undefined;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

/** `fetch` has unpacked the body, and its length is no longer what the server said. */
const passable = (headers) => {
  const kept = [...headers].filter(([name]) => !["content-encoding", "content-length", "transfer-encoding"].includes(name));
  return Object.fromEntries(kept);
};

const pieces = (text, cuts) => {
  const places = [0, ...cuts.map((cut) => text.indexOf(cut)), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
};
