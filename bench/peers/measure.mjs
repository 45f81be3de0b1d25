/**
 * What the scripts of others weigh, as their makers ship them for a page, beside our snippets: `node bench/peers/measure.mjs NAME=SNIPPET…`.
 * A line of JSON each, the lightest first. Mojito is not on npm: tell the path of its minified file in `MOJITO`, and it has a line.
 */

import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** The file that a site loads, and what a page can do with it alone. */
const PEERS = [
    { package: "alephbet", file: "dist/alephbet.min.js", does: "code" },
    { package: "@growthbook/growthbook", file: "dist/bundles/auto.min.js", does: "addresses, audiences, changes" },
    { package: "launchdarkly-js-client-sdk", file: "dist/ldclient.min.js", does: "asks a server" },
    { package: "@convertcom/js-sdk", file: "lib/index.umd.min.js", does: "addresses, audiences" },
    { package: "@amplitude/experiment-js-client", file: "dist/experiment-browser.min.js", does: "audiences" },
    { package: "@absmartly/javascript-sdk", file: "dist/absmartly.min.js", does: "audiences" },
    { package: "@optimizely/optimizely-sdk", file: "dist/optimizely.browser.umd.min.js", does: "audiences" },
    { package: "@statsig/js-client", file: "build/statsig-js-client.min.js", does: "asks a server" },
    { package: "posthog-js", file: "dist/array.js", does: "addresses, changes; analytics" },
];
const OURS = "addresses, audiences, changes";

const ours = process.argv.slice(2).map((argument) => {
    const [name, path] = argument.split("=");
    return { name: `Assay: ${name}`, version: "", does: OURS, ...weigh(path) };
});
const peers = PEERS.map((peer) => {
    const folder = new URL(`node_modules/${peer.package}/`, import.meta.url);
    const { version } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
    return { name: peer.package, version, does: peer.does, ...weigh(new URL(peer.file, folder)) };
});
const mojito = process.env.MOJITO ? [{ name: "mojito", version: "", does: "code", ...weigh(process.env.MOJITO) }] : [];

for (const line of [...ours, ...peers, ...mojito].sort((one, other) => one.brotli - other.brotli)) console.log(JSON.stringify(line));

/** Bytes as written, and as the best compression of each kind sends them. */
function weigh(path) {
    const text = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
    return { raw: text.length, gzip: gzipSync(text, { level: 9 }).length, brotli: brotliCompressSync(text, { params }).length };
}
