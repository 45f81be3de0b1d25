/** The shop of the generated projects: a page for each candidate and size, `/?ours-100`, and its script. */

import { once } from "node:events";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

export const ORIGIN = "http://shop.example";

/** Without isolation from other sites, the browser rounds its clock to a tenth of a millisecond. */
const ISOLATED = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** Cached for ever, as the immutable snippet of a revision is. */
const SCRIPT = {
  ...ISOLATED,
  "Content-Type": "text/javascript",
  "Content-Encoding": "gzip",
  "Cache-Control": "max-age=31536000, immutable",
};

/** `scripts`: by name. */
export const openSite = async (scripts) => {
  const timed = Object.fromEntries(Object.entries(scripts).map(([name, script]) => [`/${name}.js`, gzipSync(withTimes(script))]));
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url, ORIGIN);
    if (timed[pathname]) {
      response.writeHead(200, SCRIPT).end(timed[pathname]);
    } else {
      response.writeHead(pathname === "/" ? 200 : 404, { ...ISOLATED, "Content-Type": "text/html" });
      response.end(`<!doctype html><title>Shop</title><h1>Hello</h1><script src="/${search.slice(1)}.js"></script>`);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
};

/** A comment at the top of a script is for the browser, and stays there. */
const withTimes = (script) => {
  const [head] = /^(\/\/.*\n)*/.exec(script);
  return `${head}window.began = performance.now();\n${script.slice(head.length)}\n;window.ended = performance.now();`;
};

/** What sends the browser to the site, and lets it trust the site as it would trust one with a certificate. */
export const browserArguments = (server) => [
  `--host-resolver-rules=MAP shop.example 127.0.0.1:${server.address().port}`,
  `--unsafely-treat-insecure-origin-as-secure=${ORIGIN}`,
];
