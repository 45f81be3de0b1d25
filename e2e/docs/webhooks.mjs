/** The code of docs/webhooks.md and of its guides takes what the server sends, and nothing else; and its example has the form of what comes. */

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { createHmac, generateKeyPairSync, verify } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import vm from "node:vm";

import { BINARY, startAssay } from "../site/assay.mjs";
import { blocksOf } from "./documents.mjs";
import { receiverOf, startReceiver, startService } from "./guideReceiver.mjs";

const run = promisify(execFile);
const WEBHOOKS = "/v1/projects/1000/webhooks";

let assay, receiver, token;
const got = [];

before(async () => {
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    got.push({ path: request.url, headers: request.headers, body });
    response.writeHead(204).end();
    receiver.emit("got");
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  assay = await startAssay({ flags: ["--webhook-network", "127.0.0.1"] });
  const role = ["--service", "--role", "publisher", "--project", "1000"];
  const { stdout } = await run(BINARY, ["token", "add", "ci", "--scope", "config:read,config:write,publish,results:read", ...role, "--data", assay.data, "--json"]);
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

/** The first request of this type to a webhook, which may have to come yet. */
const delivered = async (type, to = "/in") => {
  for (;;) {
    const found = got.find(({ path, body }) => path === to && JSON.parse(body).type === type);
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

/** A delivery as the server would sign it, of an event that takes the server weeks to come to. */
const signed = (secret, id, event) => {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { headers: { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` }, body };
};

const exampleOfVerdict = async () => {
  const events = (await blocks("json")).map((text) => JSON.parse(text));
  return events.find(({ type }) => type === "results.decided");
};

/** A webhook's secret, and what the server signed with it: a test, a revision, and a campaign that was started. */
const deliveries = async (name) => {
  const { id, secret } = await post(WEBHOOKS, { url: `http://127.0.0.1:${receiver.address().port}/${name}` });
  await post(`${WEBHOOKS}/${id}/test`, {});
  const campaign = await post("/v1/projects/1000/campaigns", { key: name, name: "New & <!channel>", type: "ab_test", pages: ["home"], experiments: [EXPERIMENT] });
  await post(`/v1/projects/1000/campaigns/${campaign.id}/actions`, { action: "start" });
  const found = [];
  for (const type of ["webhook.test", "revision.published", "campaign.started"]) found.push(await delivered(type, `/${name}`));
  return { secret, found };
};

const EXPERIMENT = { key: "a", name: "A", variations: [{ key: "one", name: "One", weight: 5000 }, { key: "two", name: "Two", weight: 5000 }] };

const textOf = async (answer) => `${answer.status} ${await answer.text()}`.trim();

test("the receiver for Slack posts each event once, and nothing that the server did not sign", async () => {
  const { secret, found } = await deliveries("slack");
  const { headers, body } = found[2];
  const folder = await mkdtemp(join(tmpdir(), "assay-slack-"));
  const refusals = [{ status: 429, headers: { "retry-after": "30" }, body: "slow down" }];
  const slack = await startService(() => refusals.shift() ?? {});
  const environment = { ASSAY_WEBHOOK_SECRET: secret, SLACK_WEBHOOK_URL: `${slack.url}/services/s3cret` };
  const code = await receiverOf("tell-slack");
  let guide = await startReceiver(folder, code, environment);
  try {
    assert.match(await textOf(await guide.give({ headers, body: `${body} ` })), /^401 not signed/);
    assert.match(await textOf(await guide.give(signed(`whsec_${Buffer.alloc(32, 7).toString("base64")}`, "msg_1", JSON.parse(body)))), /^401 /);
    assert.equal(slack.got.length, 0);

    const refused = await guide.give(found[0]);
    assert.deepEqual([refused.headers.get("retry-after"), await textOf(refused)], ["30", "503 Slack answers 429: slow down"]);
    for (const one of found) assert.equal(await textOf(await guide.give(one)), "200 told");
    const example = await exampleOfVerdict();
    const verdict = signed(secret, "msg_2", example);
    const twice = await Promise.all([guide.give(verdict), guide.give(verdict)]);
    assert.deepEqual(await Promise.all(twice.map(textOf)), ["200 told", "200 told"]);
    assert.equal(await textOf(await guide.give(signed(secret, "msg_3", { type: "of.tomorrow", text: "", data: {} }))), "200 told");
    await guide.stop();
    guide = await startReceiver(folder, code, environment);
    assert.equal(await textOf(await guide.give(found[1])), "200 told");

    assert.ok(slack.got.every(({ method, path, headers: sent }) => method === "POST" && path === "/services/s3cret" && sent["content-type"] === "application/json"));
    const [, tested, published, started, decided, ...more] = slack.got.map(({ text }) => JSON.parse(text).text);
    const { data } = JSON.parse(body);
    assert.deepEqual(more, []);
    assert.equal(tested, JSON.parse(found[0].body).text);
    assert.match(published, new RegExp(`^:ship: <${assay.url}/projects/1000/history\\|Revision ${data.revision}> of .+ is live, by `));
    assert.equal(started, `:rocket: <${data.campaign.url}|New &amp; &lt;!channel&gt;> started, by ${data.by}`);
    assert.equal(decided, ":checkered_flag: <https://experiments.shop.example/projects/1000/campaigns/3001|Hero text>: " + example.data.verdict.text);
  } finally {
    await guide.stop();
    slack.stop();
    await rm(folder, { recursive: true });
  }
});

const PROPERTY = "/v1alpha/properties/123456789";

/** A stand-in for Google, which takes what its documentation says, and nothing else. */
const google = (publicKey, account) => ({ method, path, headers, text }) => {
  if (path === "/token") return tokenFor(publicKey, account, new URLSearchParams(text), headers.host);
  if (headers.authorization !== "Bearer ya29.s3cret") return { status: 401, body: { error: { message: "Request had invalid authentication credentials." } } };
  if (method === "GET" && path === PROPERTY) return { body: { name: "properties/123456789", timeZone: "Europe/Berlin" } };
  const { title, description, color, annotationDate: { year, month, day } = {}, ...other } = JSON.parse(text);
  const isRight = title && title.length <= 60 && description.length <= 150 && ["PURPLE", "BROWN", "BLUE", "GREEN", "RED", "CYAN"].includes(color) && [year, month, day].every(Number.isInteger);
  const isOne = method === "POST" && path === `${PROPERTY}/reportingDataAnnotations` && isRight && Object.keys(other).length === 0;
  return isOne ? { body: { name: `${PROPERTY}/reportingDataAnnotations/1`, title } } : { status: 400, body: { error: { message: "Request contains an invalid argument." } } };
};

const tokenFor = (publicKey, account, asked, host) => {
  const [header, claims, signature] = asked.get("assertion").split(".");
  const { alg } = JSON.parse(Buffer.from(header, "base64url"));
  const { iss, scope, aud, iat, exp } = JSON.parse(Buffer.from(claims, "base64url"));
  const isSigned = alg === "RS256" && verify("sha256", Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, "base64url"));
  const isRight = iss === account && aud === `http://${host}/token` && exp - iat <= 3600 && scope === "https://www.googleapis.com/auth/analytics.edit";
  if (!isSigned || !isRight || asked.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") return { status: 400, body: { error: "invalid_grant", error_description: "Invalid JWT Signature." } };
  return { body: { access_token: "ya29.s3cret", expires_in: 3599, token_type: "Bearer" } };
};

test("the receiver for Google Analytics annotates each event once, on the day of the property", async () => {
  const { secret, found } = await deliveries("ga4");
  const folder = await mkdtemp(join(tmpdir(), "assay-ga4-"));
  const [right, other] = [0, 1].map(() => generateKeyPairSync("rsa", { modulusLength: 2048 }));
  const account = "assay@shop.iam.gserviceaccount.com";
  const service = await startService(google(right.publicKey, account));
  const code = (await receiverOf("annotate-ga4")).replace("https://analyticsadmin.googleapis.com", service.url);
  const file = join(folder, "account.json");
  const withKey = async ({ privateKey }) => {
    const key = privateKey.export({ type: "pkcs8", format: "pem" });
    await writeFile(file, JSON.stringify({ client_email: account, private_key_id: "1", private_key: key, token_uri: `${service.url}/token` }));
    return startReceiver(folder, code, { ASSAY_WEBHOOK_SECRET: secret, GA4_PROPERTY: "123456789", GOOGLE_APPLICATION_CREDENTIALS: file });
  };
  const annotations = () => service.got.filter(({ path }) => path.endsWith("Annotations")).map(({ text }) => JSON.parse(text));
  let guide = await withKey(other);
  try {
    assert.equal(await textOf(await guide.give(found[0])), "503 Google answers 400: Invalid JWT Signature.");
    await guide.stop();
    guide = await withKey(right);
    assert.match(await textOf(await guide.give({ ...found[2], body: `${found[2].body} ` })), /^401 /);

    assert.equal(await textOf(await guide.give(found[0])), "200 told");
    assert.deepEqual(annotations(), [], "a test leaves no mark");
    const verdict = signed(secret, "msg_2", await exampleOfVerdict());
    for (const one of [...found, verdict, verdict, found[1]]) assert.equal(await textOf(await guide.give(one)), "200 told");
    const long = await exampleOfVerdict();
    long.data.campaign.name = `${"a".repeat(58)}\u{1F680} and more`;
    assert.equal(await textOf(await guide.give(signed(secret, "msg_3", long))), "200 told");

    const [published, started, decided, cut, ...more] = annotations();
    assert.deepEqual(more, []);
    const { timestamp, text, data } = JSON.parse(found[2].body);
    const [year, month, day] = new Intl.DateTimeFormat("sv", { timeZone: "Europe/Berlin" }).format(new Date(timestamp)).split("-").map(Number);
    assert.equal(published.title, `Assay: revision ${data.revision}`);
    assert.deepEqual(started, { title: "New & <!channel>: started", description: text, color: "GREEN", annotationDate: { year, month, day } });
    assert.deepEqual([decided.title, decided.annotationDate], ["Hero text: better", { year: 2027, month: 1, day: 30 }]);
    assert.equal(cut.title, `${"a".repeat(58)}…`);
    assert.equal(service.got.filter(({ path }) => path === "/token").length, 2, "a token is good for an hour");
  } finally {
    await guide.stop();
    service.stop();
    await rm(folder, { recursive: true });
  }
});

test("the receivers of both guides check signatures and repetitions alike", async () => {
  const shared = async (guide) => {
    const code = await receiverOf(guide);
    return code.slice(code.indexOf("/** The other side did not take it"));
  };

  const slack = await shared("tell-slack");
  assert.ok(slack.includes("timingSafeEqual"));
  assert.equal(await shared("annotate-ga4"), slack);
  assert.ok(slack.includes((await blocks("js"))[0].split("\n").slice(2).join("\n")), "and as docs/webhooks.md does");
});
