/** Copies of files of events in object storage: real requests with real signatures, which the storage checks. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { BINARY, startAssay } from "../site/assay.mjs";
import { answerOf } from "../site/commands.mjs";
import { startProgram } from "./pythonProgram.mjs";

const VISITOR = "252773975025585681511";
const PATIENCE_MS = 60_000;

let storage, assay;
before(async () => {
  storage = await startProgram("objectStorage.py");
  const { address, id, secret } = storage.told;
  Object.assign(process.env, { AWS_ENDPOINT_URL: address, AWS_ALLOW_HTTP: "true", AWS_REGION: "eu-central-1", AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret });
  await storage.ask(["put", "assay/notes.txt", "of somebody else"]);
  assay = await startAssay({ flags: ["--seal-events", "1", "--copy-events", "s3://shop-events/assay"] });
});
after(async () => {
  await assay?.stop();
  storage?.stop();
});

/** The files of the server, as they are called below its folder. */
const files = async () => {
  const all = await readdir(join(assay.data, "events"), { recursive: true });
  return all.filter((name) => name.endsWith(".parquet") && !name.split("/").at(-1).startsWith(".")).sort();
};

/** The copies, once they are all files and nothing else. */
const copies = async (expected) => {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const objects = await storage.ask(["list"]);
    const names = Object.keys(objects).filter((name) => name.endsWith(".parquet")).map((name) => name.replace("assay/", ""));
    const now = await files();
    if (now.length >= expected && now.join() === names.sort().join()) return objects;
    assert.ok(Date.now() < deadline, `files are ${now.join()}, and copies ${names.join()}`);
  }
};

test("each file has a copy with the same bytes, and nothing else in the bucket changes", async () => {
  const objects = await copies(1);

  for (const [name, sha256] of Object.entries(objects).filter(([name]) => name.endsWith(".parquet"))) {
    assert.match(name, /^assay\/project=1000\/day=\d{4}-\d\d-\d\d\/[0-9a-f]{32}\.parquet$/);
    assert.ok(name.includes(sha256.slice(0, 32)), "a file is called by its contents");
  }
  assert.ok(objects["assay/notes.txt"]);
});

test("a visitor who is forgotten is in no copy any more", async () => {
  const before = await copies(1);
  const time = Date.now();
  const event = { id: "e1", type: "event", name: "find_mug", time };
  const body = JSON.stringify({ project: "1000", visitor: VISITOR, sent: time, events: [event] });
  const taken = await fetch(new URL("/v1/events", assay.url), { method: "POST", body });
  assert.equal(taken.status, 202, await taken.text());
  const withVisitor = await copies(Object.keys(before).filter((name) => name.endsWith(".parquet")).length + 1);

  await answerOf(["events", "forget", VISITOR, "--project", "1000", "--data", assay.data]);

  const [theirs] = Object.keys(withVisitor).filter((name) => !(name in before) && name.endsWith(".parquet"));
  const after = await copies(1);
  assert.ok(!(theirs in after), theirs);
});

/** What `assay doctor` says of object storage; it never tells the secret. */
const looked = async (address, data, variables = {}) => {
  const flags = ["doctor", "--data", data, "--copy-events", address, "--listen", "127.0.0.1:0", "--json"];
  const env = { ...process.env, ...variables };
  const { stdout } = await promisify(execFile)(BINARY, flags, { env }).catch((failed) => failed);
  assert.ok(!stdout.includes(env.AWS_SECRET_ACCESS_KEY), stdout);
  const { state, message, cure } = JSON.parse(stdout).find(({ check }) => check === "object storage");
  return `${state}: ${message} -> ${cure}`;
};

test("the doctor tries all that copies need, says what is not right, and leaves nothing", async () => {
  const before = await copies(1);

  assert.match(await looked("s3://shop-events/assay", assay.data), /^ok: lets Assay list, read, write and delete/);
  assert.match(await looked("s3://shop-events/assay", join(assay.data, "other")), /^error: the copies there are of another Assay -> give each a prefix/);
  assert.match(await looked("s3://shop-events/assay", assay.data, { AWS_SECRET_ACCESS_KEY: "s3cret-of-nobody" }), /^error: refuses `s3:ListBucket`: SignatureDoesNotMatch: .* -> set AWS_ACCESS_KEY_ID/);
  assert.match(await looked("s3://shop-events/assay", assay.data, { AWS_ACCESS_KEY_ID: "AKIANOBODY" }), /^error: refuses `s3:ListBucket`: InvalidAccessKeyId: .* -> set AWS_ACCESS_KEY_ID/);
  assert.match(await looked("s3://other-events/assay", assay.data), /^error: refuses `s3:ListBucket`: NoSuchBucket: .* -> make the bucket/);

  assert.deepEqual(Object.keys(await storage.ask(["list"])).sort(), Object.keys(before).sort());
});
