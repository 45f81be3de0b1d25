/** The npm package, as `npm pack` makes it: strict TypeScript compiles against it, and its loader works in a page. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { setStage } from "../site/stage.mjs";

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL("../../runtime/types", import.meta.url));
const TSC = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
const stage = setStage();

const PROGRAM = `
import { getState, loadSnippet, push, type CampaignState, type Experimentation } from "@assay/snippet";
import type { State } from "@assay/snippet/types";

const loaded: Promise<Experimentation> = loadSnippet("/js/1000.js", { nonce: "abc", timeoutSeconds: 5 });
const state: State | undefined = getState();
const campaigns: CampaignState[] = Object.values(state?.getCampaignStates({ isActive: true }) ?? {});
push({ type: "event", eventName: "signup" });
// @ts-expect-error there is no such command
push({ type: "nonsense" });
// @ts-expect-error the state may not be there yet
getState().getVariationMap();
export { campaigns, loaded };
`;

let folder;
let installed;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-package-"));
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: PACKAGE });
  installed = join(folder, "node_modules/@assay/snippet");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", join(folder, stdout.trim()), "-C", installed, "--strip-components=1"]);
});

after(() => rm(folder, { recursive: true }));

const RESOLUTIONS = [
  ["--module", "nodenext", "--moduleResolution", "nodenext"],
  ["--module", "esnext", "--moduleResolution", "bundler"],
  ["--module", "commonjs", "--moduleResolution", "node10"],
];
for (const resolution of RESOLUTIONS) {
  test(`strict TypeScript compiles against it, as ${resolution[3]} finds it`, async () => {
    await writeFile(join(folder, "package.json"), '{"type": "module"}');
    await writeFile(join(folder, "program.ts"), PROGRAM);
    const flags = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", ...resolution];

    const compiled = await run(process.execPath, [TSC, ...flags, "program.ts"], { cwd: folder }).catch(({ stdout }) => ({ stdout }));

    assert.equal(compiled.stdout, "");
  });
}

test("on a server there is no snippet, and nothing breaks", async () => {
  const { getState, loadSnippet, push } = await import(join(installed, "load.js"));

  push({ type: "activate" });
  assert.equal(getState(), undefined);
  await assert.rejects(loadSnippet("https://shop.example/js/1.js"), /in a page only/);
});

test("the loader puts the snippet into a page once, and tells what went wrong", async () => {
  const { url } = stage.assay;
  const page = await stage.browser.newPage();
  const loader = await readFile(join(installed, "load.js"), "utf8");
  await page.route("**/load.js", (route) => route.fulfill({ contentType: "text/javascript", body: loader }));
  await page.route("**/page.html", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>A page</title>" }));
  await page.route("**/no-snippet.js", (route) => route.fulfill({ contentType: "text/javascript", body: "1;" }));
  await page.goto(`${url}/page.html`);

  const seen = await page.evaluate(async () => {
    const { getState, loadSnippet } = await import("/load.js");
    const failure = (address) => loadSnippet(address).then(() => "", (error) => error.message);
    const before = getState();
    const missing = await failure("/js/404404.js");
    const other = await failure("/no-snippet.js");
    const [one, two] = await Promise.all([loadSnippet("/js/1000.js"), loadSnippet("/js/1000.js")]);
    const scripts = document.querySelectorAll("script").length;
    return { before, missing, other, isSame: one === two, scripts, pages: Object.keys(getState().getPageStates()).length };
  });

  assert.equal(seen.before, undefined);
  assert.match(seen.missing, /404404\.js could not be loaded/);
  assert.match(seen.other, /no-snippet\.js is no snippet/);
  assert.equal(seen.isSame, true);
  assert.equal(seen.scripts, 1);
  assert.ok(seen.pages > 0);
  await page.close();
});
