/** The code of docs/webhooks.md takes what the server sends, and nothing else; and its example has the form of what comes. */

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import vm from "node:vm";

import { BINARY, startAssay } from "../site/assay.mjs";
import { blocksOf } from "./documents.mjs";

const run = promisify(execFile);
const WEBHOOKS = "/v1/projects/1000/webhooks";

let assay, receiver, token;
const got = [];

before(async () => {
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    got.push({ headers: request.headers, body });
    response.writeHead(204).end();
    receiver.emit("got");
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  assay = await startAssay({ flags: ["--webhook-network", "127.0.0.1"] });
  const role = ["--service", "--role", "publisher", "--project", "1000"];
  const { stdout } = await run(BINARY, ["token", "add", "ci", "--scope", "config:read,config:write,publish", ...role, "--data", assay.data, "--json"]);
  ({ token } = JSON.parse(stdout));
});

after(async () => {
  receiver.close();
  await assay.stop();
});

const post = async (path, body) => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${assay.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  assert.ok(answer.ok, await answer.clone().text());
  return answer.json();
};

/** The first request of this type, which may have to come yet. */
const delivered = async (type) => {
  for (;;) {
    const found = got.find(({ body }) => JSON.parse(body).type === type);
    if (found) return found;
    await once(receiver, "got", { signal: AbortSignal.timeout(30_000) });
  }
};

const blocks = async (language) => {
  const text = await readFile(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
  return blocksOf("webhooks", text).flatMap((block) => (block.language === language ? [block.code] : []));
};

/** What the page's function in Python says of each of these. */
const inPython = async (tries) => {
  const [code] = await blocks("python");
  const asked = "\nimport json, sys\nfor one in json.load(sys.stdin):\n    print(is_from_assay(one['secret'], one['headers'], one['body'].encode(), one['now']))\n";
  const python = spawn("python3", ["-c", code + asked], { stdio: ["pipe", "pipe", "inherit"] });
  python.stdin.end(JSON.stringify(tries));
  const told = await python.stdout.setEncoding("utf8").toArray();
  return told.join("").trim().split("\n").map((word) => word === "True");
};

/** The names of all fields, in their order. */
const form = (value) => (value && typeof value === "object" ? Object.entries(value).map(([name, inner]) => [name, form(inner)]) : null);

test("the page's functions know what is from the server, and its example has the form of that", async () => {
  const { port } = receiver.address();
  const { id, secret } = await post(WEBHOOKS, { url: `http://127.0.0.1:${port}/in` });
  await post(`${WEBHOOKS}/${id}/test`, {});
  const { headers, body } = await delivered("webhook.test");

  const now = Number(headers["webhook-timestamp"]);
  const right = { secret, headers, body, now };
  const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const two = { ...headers, "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")} ${headers["webhook-signature"]}` };
  const tries = [right, { ...right, headers: two }, { ...right, body: `${body} ` }, { ...right, secret: other }, { ...right, now: now + 301 }, { ...right, now: now - 301 }];
  const expected = [true, true, false, false, false, false];
  const [code] = await blocks("js");
  const isFromAssay = new vm.Script(`${code};isFromAssay`).runInNewContext({ require: createRequire(import.meta.url), Buffer });
  assert.deepEqual(tries.map((one) => isFromAssay(one.secret, one.headers, one.body, one.now)), expected);
  assert.deepEqual(await inPython(tries), expected);

  const campaigns = await fetch(`${assay.url}/v1/projects/1000/campaigns`, { headers: { authorization: `Bearer ${token}` } });
  const running = (await campaigns.json()).find(({ status }) => status === "running");
  for (const action of ["pause", "resume"]) await post(`/v1/projects/1000/campaigns/${running.id}/actions`, { action });
  const [example] = await blocks("json");
  assert.deepEqual(form(JSON.parse((await delivered("campaign.resumed")).body)), form(JSON.parse(example)));
});
