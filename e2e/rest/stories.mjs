/**
 * The REST API as its description promises it: schemathesis makes requests of /v1/openapi.json, right ones and wrong ones, and checks
 * that every answer is one that is documented, with the media type, headers and body that it should have, and that nothing fails.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { ownerToken } from "../clients/ownerToken.mjs";
import { PYTHON } from "../clients/pythonClient.mjs";
import { startAssay } from "../site/assay.mjs";

const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
];

/** Enough that every operation meets each kind of mistake. */
const EXAMPLES_EACH = 8;

/** What has not been asked by then is not asked: the step stays a step. */
const SECONDS_AT_MOST = 75;

/** The same requests in every run, as far as it comes. */
const SEED = 6;

let assay;
before(async () => {
  assay = await startAssay({ flags: ["--writes-per-minute", "1000000", "--heavy-reads-per-minute", "1000000"] });
});
after(() => assay.stop());

/** A thing for each kind of which the demo has none. */
const ADDED = {
  attributes: { key: "plan" },
  events: { key: "signed_up" },
  metrics: { key: "sign_ups", type: "conversion", event: "signed_up" },
  groups: { key: "checkout", members: [] },
};
const THINGS = ["pages", "audiences", "campaigns", "experiments", "variations", ...Object.keys(ADDED)];

/** The demo's id, as the configuration writes a text. */
const PROJECT = '"1000"';

/** How often a request is about something that is there. */
const PROBABILITY = 0.75;

/** Ids of what is there, so that not everything that is asked for is unknown; by the beginning of the address. */
const known = async (bearer) => {
  const project = "/v1/projects/1000";
  const request = async (path, options = {}) => {
    const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
    const response = await fetch(new URL(path, assay.url), { ...options, headers });
    assert.ok(response.ok, `${path}: ${response.status}`);
    return response.json();
  };
  const lists = {};
  for (const [kind, thing] of Object.entries(ADDED)) {
    await request(`${project}/${kind}`, { method: "POST", body: JSON.stringify(thing) });
  }
  for (const kind of THINGS) lists[kind] = (await request(`${project}/${kind}`)).map(({ id }) => id);
  return { members: (await request("/v1/members")).map(({ id }) => id), ...lists };
};

/** The configuration that lets schemathesis know them, in its own language. */
const configuration = (ids) => {
  const lists = Object.entries(ids).map(([name, values]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}\n`);
  const binding = (name) => `{ dictionary = "${name}", probability = ${PROBABILITY} }`;
  const operations = (path, parameters) => {
    const bound = Object.entries(parameters).map(([parameter, value]) => `"${parameter}" = ${value}`);
    return `[[operations]]\ninclude-path-regex = '${path}'\nparameters = { ${bound.join(", ")} }\n`;
  };
  const ofThings = THINGS.map((kind) => operations(`^/v1/projects/\\{id\\}/${kind}/`, { "path.id": PROJECT, "path.name": binding(kind) }));
  const ofOthers = `^/v1/projects/\\{id\\}(?!/(${THINGS.join("|")})/)`;
  return [
    ...lists,
    '[dictionaries.seen]\nvalues = ["*"]\n',
    // Other methods are answered before anything of the description matters.
    "[phases.coverage]\nunexpected-methods = []\n",
    `[parameters]\n"header.If-Match" = ${binding("seen")}\n`,
    ...ofThings,
    operations(ofOthers, { "path.id": PROJECT }),
    operations("^/v1/members/", { "path.id": binding("members") }),
  ].join("\n");
};

/** Runs schemathesis, and gives its exit code with what it printed. */
const schemathesis = async (config, flags) => {
  const folder = await mkdtemp(join(tmpdir(), "assay-rest-"));
  const file = join(folder, "schemathesis.toml");
  await writeFile(file, config);
  const description = new URL("/v1/openapi.json", assay.url).href;
  const arguments_ = ["-m", "schemathesis.cli", "--config-file", file, "run", description, ...flags];
  const running = spawn(PYTHON, arguments_, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  running.stdout.on("data", (text) => (printed += text));
  const [code] = await once(running, "exit");
  await rm(folder, { recursive: true });
  return { code, printed };
};

test("every answer to right and wrong requests is as documented, and none is a failure of the server", async () => {
  const bearer = await ownerToken(assay);
  const flags = [
    ...["--checks", CHECKS.join(",")],
    ...["--phases", "examples,coverage,fuzzing"],
    ...["--max-examples", String(EXAMPLES_EACH)],
    ...["--max-time", String(SECONDS_AT_MOST)],
    ...["--seed", String(SEED)],
    ...["--header", `Authorization: Bearer ${bearer}`],
    // Not more: threads share a counter of Python's parser, whose error they then see (CPython issue 106905).
    ...["--workers", "1"],
    ...["--warnings", "off"],
    "--no-color",
    "--continue-on-failure",
  ];

  const { code, printed } = await schemathesis(configuration(await known(bearer)), flags);

  if (process.env.PRINTED) process.stderr.write(printed);
  assert.equal(code, 0, printed);
});
