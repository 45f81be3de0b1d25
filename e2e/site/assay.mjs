/** The real binary, started on a free port with data of its own that goes away with it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const BINARY = process.env.ASSAY ?? fileURLToPath(new URL("../../target/release/assay", import.meta.url));

/**
 * @typedef {object} Assay
 * @property {string} url where it is reached
 * @property {string} demoUrl the shop's front page
 * @property {string} [setupUrl] where it is set up, while it has no member
 * @property {{email: string, password: string}} member
 * @property {{client_id: string, client_secret: string, redirect_uri: string}} application
 * @property {string} data the folder of its database
 * @property {() => Promise<void>} stop
 */

/**
 * Starts the demo, a project of the story's own, or nothing at all, and comes back when it is ready. Members may edit a project that is `seed`.
 * @param {{listen?: string, publicUrl?: string, project?: object, seed?: object, isEmpty?: boolean, flags?: string[], environment?: Record<string, string>}} [options]
 * @returns {Promise<Assay>}
 */
export const startAssay = async ({ listen = "127.0.0.1:0", publicUrl, project, seed, isEmpty = false, flags: further = [], environment = {} } = {}) => {
  const folder = await mkdtemp(join(tmpdir(), "assay-e2e-"));
  const readyFile = join(folder, "ready.json");
  const data = join(folder, "data");
  const flags = ["--listen", listen, "--ready-file", readyFile, ...(publicUrl ? ["--public-url", publicUrl] : []), ...further];
  const named = async () => (seed ? ["--seed", await written(folder, seed)] : [project ? await written(folder, project) : "--demo"]);
  const offer = isEmpty ? [] : await named();
  const env = { ...process.env, ...environment };
  const server = spawn(BINARY, ["serve", ...offer, "--data", data, ...flags], { env, stdio: ["ignore", "pipe", "pipe"] });
  const stop = async () => {
    if (server.exitCode === null && server.kill()) await once(server, "exit");
    await rm(folder, { recursive: true });
  };
  await untilReady(server, readyFile).catch(async (error) => {
    await stop();
    throw error;
  });
  return { ...(await described(readyFile)), data, stop };
};

const written = async (folder, project) => {
  const file = join(folder, "project.json");
  await writeFile(file, JSON.stringify(project));
  return file;
};

/** The ready file is there when the greeting begins. */
const untilReady = (server) =>
  new Promise((resolve, reject) => {
    let complaint = "";
    server.stderr.on("data", (text) => (complaint += text));
    server.stdout.once("data", resolve);
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`assay ended with code ${code}: ${complaint}`)));
  });

const described = async (readyFile) => {
  const ready = JSON.parse(await readFile(readyFile, "utf8"));
  return { url: ready.url, demoUrl: ready.demo_url, setupUrl: ready.setup_url, member: ready.member, application: ready.application };
};
