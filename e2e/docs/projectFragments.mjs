/** Parts of project files, as documents show them, become whole ones that `assay check` can judge. */

/** What stands at the top of a project file. */
const TOP = new Set(["version", "project", "attributes", "pages", "events", "metrics", "audiences", "campaigns", "groups", "applications", "integrations"]);

/** What stands in a campaign. */
const OF_CAMPAIGN = new Set(["schedule", "plan", "metrics", "holdback"]);

const VERSION = "version: 1\n";
const PROJECT = "project: {key: docs, name: Docs}\n";

const EXPERIMENTS = "    experiments: [{key: docs, variations: [{key: original, weight: 10000}]}]\n";

const indented = (text, by) => text.replace(/^(?=.)/gm, " ".repeat(by));

/**
 * The whole file, or `undefined` if the block is no part of one.
 * @param {string} code
 * @param {unknown} value what the code says
 */
export const asProject = (code, value) => {
  const keys = Object.keys(value ?? {});
  if (keys.length === 0) return undefined;
  if (keys.every((key) => TOP.has(key))) return topped(code, value);
  if (!keys.every((key) => OF_CAMPAIGN.has(key))) return undefined;
  return `${VERSION}${PROJECT}campaigns:\n  - key: docs\n    name: Docs\n    type: ab_test\n    pages: []\n${EXPERIMENTS}${indented(code, 4)}`;
};

const topped = (code, value) => {
  const version = "version" in value ? "" : VERSION;
  const project = "project" in value ? "" : PROJECT;
  const isNamed = value.project?.key !== undefined;
  const named = "project" in value && !isNamed ? code.replace(/^project:\n/m, "project:\n  key: docs\n  name: Docs\n") : code;
  const events = "events" in value ? "" : eventsOf(value.metrics ?? []);
  return `${version}${project}${events}${named}`;
};

/** The events that metrics are made of. */
const eventsOf = (metrics) => {
  const keys = new Set(metrics.flatMap(({ event, per }) => [event, per?.event]).filter(Boolean));
  return keys.size === 0 ? "" : `events: [${[...keys].map((key) => `{key: ${key}, type: custom}`).join(", ")}]\n`;
};
