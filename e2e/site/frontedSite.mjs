/**
 * A site with a server of its own, which passes requests for the snippet on to Assay: one path of the site's, as a reverse proxy does.
 * Every other path is a page with the snippet.
 */

import { once } from "node:events";
import { createServer, request as ask } from "node:http";

const PAGE = `<!doctype html><title>Shop</title><script src="/js/1000.js"></script><h1>Hello</h1>`;

/**
 * @typedef {object} FrontedSite
 * @property {number} port where it listens, on this machine only
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string} target Assay's address
 * @returns {Promise<FrontedSite>}
 */
export const frontedSite = async (target) => {
  const server = createServer((request, response) => {
    if (request.url.startsWith("/js/")) return pass(target, request, response);
    response.writeHead(200, { "content-type": "text/html" });
    response.end(PAGE);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: server.address().port,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

const pass = (target, { url, headers }, response) => {
  const asked = ask(target + url, { headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  asked.end();
};
