/** An app of a framework, made of the blocks of its guide, built as for production, and run. */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { blocksOf } from "../docs/documents.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** Frameworks find their packages in a folder above. */
const NEAR = join(HERE, "made-");

const ENVIRONMENT = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };

/** The blocks of code of a guide in one language. */
export const examples = async (guide, language) => {
  const text = await readFile(new URL(`../../docs/guides/${guide}.md`, import.meta.url), "utf8");
  return blocksOf(guide, text).flatMap((block) => (block.language === language ? [block.code] : []));
};

export const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
};

/**
 * @param {Record<string, string>} files
 * @param {string[]} build
 * @param {(port: number) => string[]} start
 */
export const runApp = async (files, port, build, start) => {
  const folder = await mkdtemp(NEAR);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const bin = (name) => join(HERE, "node_modules/.bin", name);
  await promisify(execFile)(bin(build[0]), build.slice(1), { cwd: folder, env: ENVIRONMENT });
  const [program, ...words] = start(port);
  const env = { ...ENVIRONMENT, PORT: String(port), HOST: "127.0.0.1" };
  const server = spawn(program === "node" ? process.execPath : bin(program), words, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  // Each says where it listens once it does.
  await once(server.stdout, "data");
  server.stdout.resume();
  const stop = async () => {
    // Next.js may not end when it is only asked to, and no app has anything to lose.
    if (server.exitCode === null && server.kill("SIGKILL")) await once(server, "exit");
    await rm(folder, { recursive: true });
  };
  return { url: `http://127.0.0.1:${port}`, stop };
};
