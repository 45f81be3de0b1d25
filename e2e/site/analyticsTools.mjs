/**
 * The tools that we have integrations with: how each is put on a page, and what it sends. Segment, Amplitude and Plausible are their
 * own libraries from npm. Those of Google and Matomo are on no registry: receivers/ says what stands in for them.
 */

import { readFile } from "node:fs/promises";

import { blocksOf } from "../docs/documents.mjs";
import { COLLECTOR, npmFile } from "./analyticsSite.mjs";

/**
 * @typedef {object} Tool
 * @property {string} type of the integration
 * @property {string} name what stories call it
 * @property {string} html what its instructions put on a page
 * @property {Record<string, object>} answers what its makers' servers answer, by address
 * @property {Record<string, string>} [files] of the site's own, by path
 * @property {string} marker code of the site's own that sends something further
 * @property {(received: import("./analyticsSite.mjs").Received[]) => Sent[]} sent
 * @property {string} pageView what it calls a page view
 * @property {{name: string, properties: object}} decision that the visitor is in Green, in its words
 *
 * @typedef {object} Sent one event, without what the tool says of every page
 * @property {string} name
 * @property {object} properties
 * @property {string | null} [referrer]
 */

const EXPERIMENT = "AB (24001)";
const VARIATION = "Green (324001)";

const EXPERIENCE = {
  name: "experience_impression",
  properties: { exp_variant_string: "assay-24001-324001", experiment: EXPERIMENT, variation: VARIATION },
};

const sentToGoogle = (received) =>
  received.map(({ query }) => {
    const properties = [...query].filter(([name]) => name.startsWith("ep.")).map(([name, value]) => [name.slice("ep.".length), value]);
    return { name: query.get("en"), properties: Object.fromEntries(properties), referrer: query.get("dr") };
  });

/** @type {Tool} */
const gtag = {
  type: "ga4_gtag",
  name: "ga4_gtag",
  html: `<script src="/receivers/gtag.js" async></script><script>
    window.dataLayer = window.dataLayer || [];
    function gtag() { dataLayer.push(arguments); }
    gtag("js", new Date());
    gtag("config", "G-SHOP");
  </script>`,
  answers: {},
  marker: `gtag("event", "marker", {})`,
  sent: sentToGoogle,
  pageView: "page_view",
  decision: EXPERIENCE,
};

/** @type {Tool} */
const gtm = {
  type: "ga4_gtm",
  name: "ga4_gtm",
  html: `<script src="/receivers/gtm.js" async></script>
  <script>(window.dataLayer = window.dataLayer || []).push({ event: "gtm.js" })</script>`,
  answers: {},
  marker: `dataLayer.push({ event: "marker" })`,
  sent: sentToGoogle,
  pageView: "page_view",
  decision: EXPERIENCE,
};

/** @type {Tool} */
const matomo = {
  type: "matomo",
  name: "matomo",
  html: `<script src="/receivers/matomo.js" async></script><script>
    var _paq = (window._paq = window._paq || []);
    _paq.push(["trackPageView"]);
    _paq.push(["setTrackerUrl", "${COLLECTOR}/matomo.php"]);
    _paq.push(["setSiteId", "1"]);
  </script>`,
  answers: {},
  marker: `_paq.push(["trackEvent", "marker", "", ""])`,
  sent: (received) =>
    received.map(({ query }) => {
      const properties = Object.fromEntries(["e_a", "e_n"].filter((name) => query.has(name)).map((name) => [name, query.get(name)]));
      return { name: query.get("e_c") ?? "page view", properties, referrer: query.get("urlref") };
    }),
  pageView: "page view",
  decision: { name: "Experiment", properties: { e_a: EXPERIMENT, e_n: VARIATION } },
};

/** The form of Segment's own loader: a stub of each method leaves its call in the array. */
const SEGMENT_LOADER = `<script>
  var analytics = (window.analytics = window.analytics || []);
  analytics.invoked = true;
  for (const method of ["page", "track", "identify", "addSourceMiddleware"])
    analytics[method] = (...parameters) => window.analytics.initialized
      ? window.analytics[method](...parameters)
      : (analytics.push([method, ...parameters]), analytics);
  analytics._writeKey = "key";
  analytics._cdn = "${COLLECTOR}";
  analytics.page();
</script>
<script src="/npm/@segment/analytics-next/dist/umd/standalone.js" async></script>`;

/** @type {Tool} */
const segment = {
  type: "segment",
  name: "segment",
  html: SEGMENT_LOADER,
  answers: {
    [`${COLLECTOR}/v1/projects/key/settings`]: {
      integrations: { "Segment.io": { apiKey: "key", apiHost: new URL(COLLECTOR).host + "/v1", protocol: "http" } },
    },
  },
  marker: `analytics.track("marker")`,
  sent: (received) =>
    received
      .filter(({ path }) => ["/v1/t", "/v1/p"].includes(path))
      .map(({ body }) => JSON.parse(body))
      .map(({ type, event, properties, context }) => {
        return { name: event ?? type, properties, referrer: context.page.referrer };
      }),
  pageView: "page",
  decision: {
    name: "Experiment Viewed",
    properties: { experiment_id: "24001", experiment_name: "AB", variation_id: "324001", variation_name: "Green", nonInteraction: 1 },
  },
};

const AMPLITUDE = "/npm/@amplitude/analytics-browser/lib/scripts/";

/** Amplitude's own loader, but that the library is the site's. */
const amplitudeLoader = (await readFile(npmFile(`${AMPLITUDE}amplitude-snippet-min.js`), "utf8"))
  .replace(/\w\.integrity="[^"]*",/, "")
  .replace(/https:\/\/cdn[^"]*/, `${AMPLITUDE}amplitude-min.js`);

const AMPLITUDE_SETTINGS = JSON.stringify({
  serverUrl: `${COLLECTOR}/2/httpapi`,
  flushQueueSize: 1,
  flushIntervalMillis: 10,
  fetchRemoteConfig: false,
  autocapture: { attribution: true, pageViews: true },
});

/** @type {Tool} */
const amplitude = {
  type: "amplitude",
  name: "amplitude",
  html: `<script>${amplitudeLoader}</script><script>amplitude.init("key", ${AMPLITUDE_SETTINGS})</script>`,
  answers: {},
  marker: `amplitude.track("marker")`,
  sent: (received) =>
    received
      .flatMap(({ body }) => JSON.parse(body).events)
      .map(({ event_type: name, event_properties: properties = {}, user_properties: user }) => {
        const own = Object.entries(properties).filter(([key]) => !key.startsWith("[Amplitude]"));
        return { name, properties: Object.fromEntries(own), referrer: user?.$set?.referrer ?? properties.referrer };
      }),
  pageView: "[Amplitude] Page Viewed",
  decision: { name: "$exposure", properties: { flag_key: EXPERIMENT, variant: VARIATION } },
};

const guide = blocksOf("integrations", await readFile(new URL("../../docs/integrations.md", import.meta.url), "utf8"));

/** The guide's code for a tool, found by a part of it. */
const recipe = (part) => guide.map(({ code }) => code).find((code) => code.includes(part));

/** Corrects the referrer, with or without the snippet. */
const plausibleRecipe = recipe("plausible.init");

/** Plausible's library as a bundler would put it there. @type {Tool} */
const plausible = {
  type: "plausible",
  name: "plausible",
  html: `<script type="module">
    import { init } from "/npm/@plausible-analytics/tracker/plausible.js";
    const site = { domain: "shop.test", endpoint: "${COLLECTOR}/api/event", captureOnLocalhost: true };
    const plausible = { init: (recipe) => init({ ...site, ...recipe }) };
    ${plausibleRecipe}
  </script>`,
  answers: {},
  marker: `plausible("marker", {})`,
  sent: (received) =>
    received.map(({ body }) => JSON.parse(body)).map(({ n, p, i, r }) => {
      return { name: n, properties: { ...p, ...(i === false && { interactive: false }) }, referrer: r };
    }),
  pageView: "pageview",
  decision: { name: "Experiment", properties: { experiment: EXPERIMENT, variation: VARIATION, interactive: false } },
};

/** A library in the form for bundlers, as a module: it looks at no global. `exported` says what of it, with the story's settings. */
const bundled = async (path, exported) => {
  const library = await readFile(npmFile(path), "utf8");
  return `const exports = {}, module = { exports };\n${library}\n;const library = module.exports;\n${exported}`;
};

/** A tool from npm, in a bundle that comes when the document is there, with the lines that the guide has for it. @returns {Tool} */
const fromNpm = (tool, library, source) => ({
  ...tool,
  name: `${tool.type} from npm`,
  html: `<script type="importmap">{"imports": {"${library}": "/library.js"}}</script>
    <script>addEventListener("load", () => import("/bundle.js"))</script>`,
  files: { "/library.js": source, "/bundle.js": recipe(`from "${library}"`) },
});

const amplitudeBundle = await bundled(
  `${AMPLITUDE}amplitude-min.umd.js`,
  `export const { add, track } = library;
  export const init = (key) => library.init(key, ${AMPLITUDE_SETTINGS});`,
);

/** Amplitude's library as a script, with the lines of the guide that are for it. @type {Tool} */
const amplitudeWithoutLoader = {
  ...amplitude,
  name: "amplitude without its loader",
  html: `<script src="${AMPLITUDE}amplitude-min.js"></script><script>${recipe('from "@amplitude/analytics-browser"')
    .replace(/^import .*$|^window.amplitude = .*$/gm, "")
    .replace('"API_KEY"', `"key", ${AMPLITUDE_SETTINGS}`)}</script>`,
};

const segmentBundle = await bundled(
  "/npm/@segment/analytics-next/dist/umd/index.js",
  `const settings = { writeKey: "key", cdnURL: "${COLLECTOR}" };
  export const AnalyticsBrowser = { load: () => library.AnalyticsBrowser.load(settings) };`,
);

const plausibleBundle = `
  import * as library from "/npm/@plausible-analytics/tracker/plausible.js";
  const site = { endpoint: "${COLLECTOR}/api/event", captureOnLocalhost: true };
  const plausible = { init: (recipe) => Object.assign(site, recipe) };
  ${plausibleRecipe}
  export const { track } = library;
  export const init = (settings) => library.init({ ...settings, ...site });`;

/** The same tools, without a loader. @type {Tool[]} */
export const TOOLS_WITHOUT_LOADER = [
  amplitudeWithoutLoader,
  fromNpm(segment, "@segment/analytics-next", segmentBundle),
  fromNpm(amplitude, "@amplitude/analytics-browser", amplitudeBundle),
  fromNpm(plausible, "@plausible-analytics/tracker", plausibleBundle),
];

/** @type {Tool[]} */
export const TOOLS = [gtag, gtm, segment, amplitude, matomo, plausible];
