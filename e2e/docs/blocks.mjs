/**
 * Every block of code in the project's documents is what its language says: project files that `assay check` takes, commands and flags that the
 * binary has, code that parses. What a language needs is in LANGUAGES; a new one fails until it is listed there.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import vm from "node:vm";

import { load } from "js-yaml";
import php from "php-parser";
import ts from "typescript";

import { BINARY } from "../site/assay.mjs";
import { flagsAndCommands } from "./commandLines.mjs";
import { readBlocks, ROOT } from "./documents.mjs";
import { asProject } from "./projectFragments.mjs";

const run = promisify(execFile);

let folder;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-blocks-"));
});

after(() => rm(folder, { recursive: true }));

/** Files of projects, whole or in part, pass `assay check`; those of other programs are YAML. */
const checkYaml = async (code) => {
  if (/^(\s*#.*\n|\s*\n)*$/.test(code)) return;
  const value = load(code);
  const whole = asProject(code, value);
  if (!whole) return;
  const file = join(folder, "project.yaml");
  await writeFile(file, whole);
  await run(BINARY, ["check", file]).catch(({ stderr, stdout }) => assert.fail(`${stdout}${stderr}\n${whole}`));
};

/** A block of commands names only what the binary has. */
const checkCommands = async (code) => {
  for (const { line, command, flags } of flagsAndCommands(code)) {
    const { stdout: help } = await run(BINARY, [...command, "--help"]).catch(() => assert.fail(`assay has no command \`${command.join(" ")}\`: ${line}`));
    for (const flag of flags) assert.match(help, new RegExp(`(^|[\\s\\[,])${flag}\\b(?!-)`, "m"), `\`assay ${command.join(" ")}\` has no ${flag}: ${line}`);
  }
};

/** A page's own scripts parse, and no tag of ours waits. */
const checkHtml = (code) => {
  for (const [, attributes, text] of code.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)) {
    if (!/type=/.test(attributes)) new vm.Script(text);
    if (/\/js\/\d+\.js/.test(attributes)) assert.doesNotMatch(attributes, /\b(async|defer)\b/, "the snippet must not load late");
  }
};

const TYPES = join(ROOT, "runtime/types/index.d.ts");
const CANNOT_FIND_NAME = 2304;

/** A script parses, and one that uses our global compiles strictly against its declarations. Names of other tools may be missing. */
const checkScript = async (code) => {
  new vm.Script(code);
  if (!/\bexperimentation\b/.test(code)) return;
  const file = join(folder, "script.ts");
  await writeFile(file, code);
  const target = ts.ScriptTarget.ES2022;
  const lib = ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"];
  const program = ts.createProgram([file, TYPES], { strict: true, noImplicitAny: false, noEmit: true, types: [], target, lib });
  const found = ts.getPreEmitDiagnostics(program).filter(({ code }) => code !== CANNOT_FIND_NAME);
  assert.deepEqual(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")), []);
};

const checkTypeScript = (fileName) => (code) => {
  const options = { jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext };
  const { diagnostics } = ts.transpileModule(code, { fileName, reportDiagnostics: true, compilerOptions: options });
  assert.deepEqual(diagnostics.map(({ messageText }) => messageText), []);
};

/** Single files of Vue and Svelte: the script within. */
const checkSingleFile = (code) => checkTypeScript("part.ts")(/<script[^>]*>([^]*)<\/script>/.exec(code)?.[1] ?? "");

/** What Astro runs on the server; the rest is HTML. */
const checkAstro = (code) => {
  const [, script, html] = /^---\n([^]*?)---\n([^]*)$/.exec(code);
  checkTypeScript("part.ts")(script);
  checkHtml(html);
};

const UNCHECKED = () => {};

const LANGUAGES = {
  yaml: checkYaml,
  json: (code) => JSON.parse(code),
  sh: checkCommands,
  console: checkCommands,
  js: checkScript,
  ts: checkTypeScript("part.ts"),
  tsx: checkTypeScript("part.tsx"),
  vue: checkSingleFile,
  svelte: checkSingleFile,
  astro: checkAstro,
  html: checkHtml,
  php: (code) => new php.Engine({}).parseEval(code),
  // Tried by tests of their own (nginx, sql, python), or by hand: docs/deploying.md says which.
  nginx: UNCHECKED,
  sql: UNCHECKED,
  python: UNCHECKED,
  apache: UNCHECKED,
  caddyfile: UNCHECKED,
  haproxy: UNCHECKED,
  ini: UNCHECKED,
  // No code: what a program prints, a diagram, a header.
  text: UNCHECKED,
  "": UNCHECKED,
};

for (const { place, language, code } of await readBlocks()) {
  test(`${place}: ${language || "text"}`, async () => {
    const check = LANGUAGES[language];
    assert.ok(check, `nothing says how to check \`${language}\``);
    await check(code);
  });
}
