/**
 * The components look as they did: `/docs/design`, in both themes, wide and on a phone, against the pictures in `pictures/`.
 *
 * After an intended change, take the pictures anew: `UPDATE_PICTURES=1 node --test stories/console/design.mjs`.
 */

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

import { startAssay } from "../../site/assay.mjs";
import { openWholeBrowser } from "../../site/browser.mjs";
import { setStage } from "../../site/stage.mjs";

const stage = setStage(startAssay, openWholeBrowser);

/** The same letters on every machine. */
const FONT = createRequire(import.meta.url).resolve("@fontsource/inter/files/inter-latin-400-normal.woff2");

/** At half its size a page shows what a person notices, and not how a machine smooths letters. */
const SCALE = 0.5;

/** How far a colour may be off, as a share of the way from black to white: less than one step of a hue. */
const COLOUR_OFF_AT_MOST = 0.02;

/** The points that may differ, beside those that only smooth an edge: fewer than a pill's padding or a heading's weight change. */
const DIFFERENT_AT_MOST = 60;

/** Runs in the page. Letters that come as bytes are fetched from nowhere, so that the page's policy has nothing against them. */
const useFont = async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  document.fonts.add(await new FontFace("Picture", bytes).load());
  const { style } = document.documentElement;
  for (const name of ["--text", "--code"]) style.setProperty(name, "Picture");
  await document.fonts.ready;
};

const picture = async (width, colorScheme) => {
  const page = await stage.browser.newPage({ viewport: { width, height: 800 }, colorScheme, deviceScaleFactor: SCALE });
  await page.goto(new URL("/docs/design", stage.assay.url).href);
  await page.evaluate(useFont, await readFile(FONT, "base64"));
  const bytes = await page.screenshot({ fullPage: true, animations: "disabled", caret: "hide" });
  await page.close();
  return bytes;
};

for (const scheme of ["light", "dark"])
  for (const width of [390, 1280])
    test(`the components look as they did, ${scheme} and ${width} pixels wide`, async () => {
      const file = fileURLToPath(new URL(`../../pictures/design-${scheme}-${width}.png`, import.meta.url));
      const bytes = await picture(width, scheme);
      if (process.env.UPDATE_PICTURES) await writeFile(file, bytes);
      const [seen, known] = [PNG.sync.read(bytes), PNG.sync.read(await readFile(file))];

      assert.deepEqual([seen.width, seen.height], [known.width, known.height]);
      const different = pixelmatch(seen.data, known.data, undefined, seen.width, seen.height, { threshold: COLOUR_OFF_AT_MOST });
      assert.ok(different <= DIFFERENT_AT_MOST, `${different} points differ from ${file}`);
    });
