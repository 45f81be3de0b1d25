/** A newcomer follows the README in an empty folder: its file and its commands as they stand there, and what they lead to. */

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { BINARY } from "../site/assay.mjs";
import { openBrowser } from "../site/browser.mjs";
import { freePort } from "../site/freePort.mjs";
import { Member } from "../site/member.mjs";
import { ROOT, blocksOf } from "./documents.mjs";

const run = promisify(execFile);
const PRINTED_SERVER = "https://experiments.shop.example";
const PRINTED_PORT = "8000";

let browser, folder, blocks, environment, port;

before(async () => {
  [browser, folder, port] = await Promise.all([openBrowser(), mkdtemp(join(tmpdir(), "assay-readme-")), freePort()]);
  const text = await readFile(join(ROOT, "README.md"), "utf8");
  blocks = blocksOf("README.md", text.replaceAll(`localhost:${PRINTED_PORT}`, `localhost:${port}`));
  environment = {
    ...process.env,
    PATH: `${dirname(BINARY)}:${process.env.PATH}`,
    XDG_CONFIG_HOME: join(folder, "configuration"),
    ASSAY_LISTEN: "127.0.0.1:0",
    ASSAY_READY_FILE: join(folder, "ready.json"),
  };
  const project = blocks.find(({ language, code }) => language === "yaml" && code.startsWith("version: 1"));
  await writeFile(join(folder, "shop.yaml"), project.code);
  await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=shop", "-keyout", "privkey.pem", "-out", "fullchain.pem"], { cwd: folder });
});

after(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

/** The commands of the block that begins so, each without its remark. */
const commandsOf = (beginning) => {
  const block = blocks.find(({ language, code }) => language === "sh" && code.startsWith(beginning));
  assert.ok(block, `the README has a block that begins with \`${beginning}\``);
  const whole = block.code.replaceAll("\\\n", " ").split("\n");
  return whole.map((line) => line.replace(/\s+# .*$/, "").trim()).filter(Boolean);
};

/** Runs a command to its end; the one that fails says why. */
const finished = (command) => run("bash", ["-euc", command], { cwd: folder, env: environment });

/** Starts what does not end, until the story about it has been told. */
const during = async (command, isReady, story, cwd = folder) => {
  const program = spawn("bash", ["-euc", `exec ${command}`], { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [program.stdout, program.stderr]) stream.on("data", (text) => (said += text));
  const ended = once(program, "exit");
  try {
    await Promise.race([isReady(program), ended.then(() => assert.fail(`\`${command}\` ended: ${said}`))]);
    await story();
  } finally {
    program.kill();
    await ended;
  }
};

/** The server greets when its ready file is written. */
const greets = ({ stdout }) => once(stdout, "data");
const readyFile = async () => JSON.parse(await readFile(environment.ASSAY_READY_FILE, "utf8"));

/** `python3 -m http.server` says what it serves on its first line, once Python does not keep it back. */
const answers = async () => {
  while (!(await fetch(`http://localhost:${port}/`).catch(() => undefined))?.ok);
};

test("the demo starts by the first command", { timeout: 120_000 }, async () => {
  const [command, ...others] = commandsOf("cargo run");
  assert.deepEqual(others, []);

  await during(command, greets, async () => {
    const { demo_url: shop } = await readyFile();
    assert.match(await (await fetch(shop)).text(), /\/js\/1000\.js/);
  }, ROOT);
});

test("a first start leads to the form that makes an owner", async () => {
  const [build, find, serve] = commandsOf("cargo build --release");
  await run("bash", ["-euc", build], { cwd: ROOT });
  const { stdout: found } = await run("bash", ["-euc", `${find}; command -v assay`], { cwd: ROOT });
  assert.equal(found.trim(), join(ROOT, "target/release/assay"));

  await during(serve, greets, async () => {
    const { setup_url: address } = await readyFile();
    assert.equal((await fetch(address)).status, 200);
  });
});

test("the example's page shows the variation on one's own machine", async () => {
  const [compile, write, serve] = commandsOf("assay compile");
  await finished(compile);
  await finished(write);

  await during(serve.replace(PRINTED_PORT, port), answers, async () => {
    const seen = new Set();
    for (let visitor = 0; visitor < 8; visitor += 1) {
      const context = await browser.newContext();
      await context.addCookies([{ name: "experimentation_id", value: `visitor-${visitor}`, url: `http://localhost:${port}/` }]);
      const page = await context.newPage();
      await page.goto(`http://localhost:${port}/`);
      seen.add(await page.locator("h1").innerText());
      await context.close();
    }
    assert.deepEqual([...seen].sort(), ["Made to order", "Ship faster"]);
  });
});

test("the example's file is checked and served, behind a proxy and without one", async () => {
  const [check, schema, openapi, behindProxy, withCertificate] = commandsOf("assay check");
  await finished(check);
  for (const command of [schema, openapi]) {
    await finished(command);
    JSON.parse(await readFile(join(folder, command.split("> ")[1]), "utf8"));
  }

  for (const command of [behindProxy, withCertificate]) {
    await during(command, greets, async () => assert.equal((await readyFile()).url, PRINTED_SERVER));
  }
});

test("people and programs come in, and the file goes to the running server", { timeout: 120_000 }, async () => {
  const [addOwner, ...others] = commandsOf("assay member add");
  const given = {};

  await during("assay serve --seed shop.yaml", greets, async () => {
    const { url } = await readyFile();
    const { stdout } = await finished(addOwner);
    [, given.email, given.password] = /member\s+(\S+)\npassword\s+(\S+)/.exec(stdout);

    for (const command of others) {
      if (command.startsWith("assay login")) await signsIn(command.replace(PRINTED_SERVER, url), url, given);
      else await finished(command);
    }

    const { stdout: audit } = await finished("assay audit --since 1d");
    assert.match(audit, /member\.added .*bob@shop\.example: editor in 1000/);
    assert.match(audit, /code\.exchanged .*assay-cli  ada@shop\.example/);
    await access(join(folder, "assay.backup"));
  });
});

/** The command prints an address where a member allows it, and waits for that. */
const signsIn = async (command, url, given) => {
  const program = spawn("bash", ["-euc", `exec ${command}`], { cwd: folder, env: environment, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(program, "exit");
  const member = new Member(await browser.newPage(), { url, member: given });
  for await (const line of createInterface({ input: program.stdout })) {
    if (!line.startsWith(url)) continue;
    await member.open(line);
    await member.signIn();
    await member.page.click("button[name=decision][value=allow]");
  }
  assert.deepEqual(await ended, [0, null]);
  await member.page.close();
};
