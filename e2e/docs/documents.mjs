/** The project's documents, and the blocks of code in them. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * @typedef {object} Block
 * @property {string} place file and line, for a person to find it
 * @property {string} language what stands behind the fence
 * @property {string} code
 */

/** All documents with their blocks of code. */
export const readBlocks = async () => {
  const files = ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"];
  const { stdout } = await promisify(execFile)("git", files, { cwd: ROOT });
  const documents = stdout.trim().split("\n");
  const blocks = await Promise.all(documents.map(async (path) => blocksOf(path, await readFile(`${ROOT}/${path}`, "utf8"))));
  return blocks.flat();
};

/**
 * The fenced blocks of a document, in their order.
 * @returns {Block[]}
 */
export const blocksOf = (path, text) => {
  const blocks = [];
  let open;
  text.split("\n").forEach((line, index) => {
    const [, indent, language] = /^(\s*)```(.*)$/.exec(line) ?? [];
    if (language === undefined) {
      open?.lines.push(line.slice(open.indent));
    } else if (open) {
      blocks.push({ place: open.place, language: open.language, code: `${open.lines.join("\n")}\n` });
      open = undefined;
    } else {
      open = { place: `${path}:${index + 1}`, language: language.trim(), indent: indent.length, lines: [] };
    }
  });
  return blocks;
};
