/** What the real binary makes of a project without a server: its snippet, and decisions; and links and members, beside one. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { BINARY } from "./assay.mjs";

/**
 * @param {object} project a project document
 * @returns {Promise<string>} its snippet
 */
export const compiled = (project) => withFile(project, (file) => answerOf(["compile", file]));

/**
 * @param {object} project a project document
 * @param {object[]} visits as `assay decide --visits` takes them
 * @returns {Promise<object[]>} an answer for each
 */
export const decided = async (project, visits) => {
  const lines = visits.map((visit) => JSON.stringify(visit)).join("\n");
  const answers = await withFile(project, (file) => answerOf(["decide", file, "--visits", "-", "--json"], lines));
  return answers
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
};

/**
 * @param {import("./assay.mjs").Assay} assay a server with a project of the story's own
 * @param {string} url the page to preview
 * @param {string[]} variations keys or ids
 * @param {string[]} [further] more arguments
 * @returns {Promise<string>} a preview link
 */
export const previewLink = async (assay, url, variations, further = []) => {
  const named = variations.flatMap((name) => ["--variation", name]);
  return (await answerOf(["preview-link", "1000", url, ...named, ...further, "--data", assay.data])).trim();
};

/**
 * @param {import("./assay.mjs").Assay} assay a server with a project of the story's own
 * @returns {Promise<{email: string, password: string}>} a new member who may use its console
 */
export const addMember = async (assay, email, further = []) =>
  JSON.parse(await answerOf(["member", "add", email, ...further, "--data", assay.data, "--json"]));

const withFile = async (project, use) => {
  const folder = await mkdtemp(join(tmpdir(), "assay-e2e-"));
  try {
    const file = join(folder, "project.json");
    await writeFile(file, JSON.stringify(project));
    return await use(file);
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** What a command prints. Throws with its complaint, if it ends in one. */
export const answerOf = async (command, input = "") => {
  const program = spawn(BINARY, command);
  const answer = gathered(program.stdout);
  const complaint = gathered(program.stderr);
  // Who refuses its input may be gone before it has read all of it: the exit code tells.
  program.stdin.on("error", () => {});
  program.stdin.end(input);
  const [code] = await once(program, "close");
  if (code !== 0) throw new Error(`assay ${command[0]} ended with code ${code}: ${await complaint}`);
  return answer;
};

const gathered = async (stream) => Buffer.concat(await stream.toArray()).toString();
