/**
 * Clients that are generated from the API's description, in three languages: each is made by the generator that most people use there,
 * compiled as strictly as its language can, and used against a running server. What a generator cannot read, its users cannot use.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { ownerToken } from "../clients/ownerToken.mjs";
import { PYTHON } from "../clients/pythonClient.mjs";
import { startAssay } from "../site/assay.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const PROGRAMS = dirname(PYTHON);
const NODE_PROGRAMS = join(HERE, "../node_modules/.bin");

/** Where Debian has the packages of Go that generated clients use. */
const DEBIANS_GO = "/usr/share/gocode";

const execute = promisify(execFile);
const run = async (program, arguments_, options = {}) => {
  const env = { ...process.env, PATH: `${PROGRAMS}:${process.env.PATH}`, ...options.env };
  const { stdout, stderr } = await execute(program, arguments_, { ...options, env, maxBuffer: 1 << 24 });
  return options.withErrors ? stdout + stderr : stdout;
};

/** The demo's project, by its key; `use.*` name it so. */
const PROJECT = "key:demo";

let assay, token, folder, description;
before(async () => {
  assay = await startAssay();
  token = await ownerToken(assay);
  // Within this folder, so that modules are found that are installed beside it.
  folder = await mkdtemp(join(HERE, "made-"));
  description = join(folder, "openapi.json");
  const response = await fetch(new URL("/v1/openapi.json", assay.url));
  await writeFile(description, await response.text());
});
after(async () => {
  await rm(folder, { recursive: true });
  await assay.stop();
});

const request = async (path, body) => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const method = body ? "POST" : "GET";
  const response = await fetch(new URL(`/v1/projects/${PROJECT}${path}`, assay.url), { method, headers, body: JSON.stringify(body) });
  assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
  return response.json();
};

/** A campaign that has not started, and what a program needs to find it. */
const prepared = async (language) => {
  const key = `generated_${language}`;
  const [page] = await request("/pages");
  const variations = [{ key: "original", weight: 5000 }, { key: "other", weight: 5000 }];
  const experiments = [{ key, variations }];
  const campaign = await request("/campaigns", { key, type: "ab_test", pages: [page.id], experiments });
  return { ASSAY_URL: assay.url.replace(/\/$/, ""), ASSAY_TOKEN: token, ASSAY_CAMPAIGN: campaign.id };
};

/** What every program finds. */
const assertFound = (printed) => {
  const found = JSON.parse(printed);
  assert.ok(found.projects.includes("demo"));
  assert.deepEqual(
    { ...found, projects: undefined },
    { projects: undefined, stale: 412, code: "etag_mismatch", renamed: "Renamed", status: "running" },
  );
};

test("openapi-typescript makes types that pass tsc --strict, and are used", async () => {
  await run(join(NODE_PROGRAMS, "openapi-typescript"), [description, "-o", join(folder, "api.ts")]);
  await copyFile(join(HERE, "use.ts"), join(folder, "use.ts"));
  const strictly = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  await run(join(NODE_PROGRAMS, "tsc"), [...strictly, "--module", "nodenext", "--target", "es2022", join(folder, "use.ts")]);

  assertFound(await run("node", [join(folder, "use.js")], { env: await prepared("typescript") }));
});

test("openapi-python-client makes a client with every operation, and it is used", async () => {
  const made = join(folder, "python");
  const printed = await run(join(PROGRAMS, "openapi-python-client"), ["generate", "--path", description, "--output-path", made], { withErrors: true });
  assert.doesNotMatch(printed, /Endpoint will not be generated|Unable to/, printed);

  const program = join(HERE, "use.py");
  assertFound(await run(PYTHON, [program], { env: { ...(await prepared("python")), PYTHONPATH: made } }));
});

test("openapi-generator makes a client in Go that compiles, and it is used", async () => {
  const home = await mkdtemp(join(tmpdir(), "assay-go-"));
  const [library, made] = [join(home, "src/assay"), join(folder, "go")];
  const parts = "models,apis,supportingFiles,modelDocs=false,apiDocs=false,apiTests=false,modelTests=false";
  const flags = ["-g", "go", "-i", description, "-o", made, "--additional-properties", "packageName=assay", "--global-property", parts];
  await run(join(PROGRAMS, "openapi-generator-cli"), ["generate", ...flags]);
  await mkdir(library, { recursive: true });
  const sources = (await readdir(made)).filter((name) => name.endsWith(".go"));
  await Promise.all(sources.map((name) => copyFile(join(made, name), join(library, name))));
  const go = { GO111MODULE: "off", GOFLAGS: "", GOPATH: `${home}:${DEBIANS_GO}`, GOCACHE: join(home, "cache") };

  assertFound(await run("go", ["run", join(HERE, "use.go")], { env: { ...go, ...(await prepared("go")) } }));
  await rm(home, { recursive: true });
});

test("every pattern of the schemas is a regular expression in JavaScript and in Python", async () => {
  const schemas = await Promise.all(["openapi.json", "project.schema.json"].map(async (name) => (await fetch(new URL(`/v1/${name}`, assay.url))).json()));
  const patterns = new Set();
  const collect = (value) => {
    if (typeof value !== "object" || value === null) return;
    if (typeof value.pattern === "string") patterns.add(value.pattern);
    Object.values(value).forEach(collect);
  };
  schemas.forEach(collect);

  for (const pattern of patterns) new RegExp(pattern, "u");
  const program = "import json, re, sys; [re.compile(pattern) for pattern in json.loads(sys.argv[1])]";
  await run(PYTHON, ["-c", program, JSON.stringify([...patterns])]);
  assert.ok(patterns.size > 3);
});
