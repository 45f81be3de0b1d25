/**
 * Debian's Chromium, headless and quiet: it talks to the server under test only. Most stories need its engine alone, which Debian builds
 * apart: that takes half the time of the processor.
 */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const HEADLESS_SHELL = process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell";

/** Chromium looks for updates and for Google's hosts unless it is told not to. */
const QUIET = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Chromium refuses its sandbox to root, who builds in containers. */
const AS_ROOT = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

const options = (executablePath, further = []) => ({ executablePath, args: [...QUIET, ...AS_ROOT, ...further] });

/**
 * `further`: more arguments of the command line. `unwanted`: those that Playwright would give.
 * @returns {Promise<import("playwright-core").Browser>}
 */
export const openBrowser = (further = [], unwanted = []) => open(HEADLESS_SHELL, further, unwanted);

/** The same with all that people have, for what is done by more than the engine, and for pictures. */
export const openWholeBrowser = (further = [], unwanted = []) => open(CHROMIUM, further, unwanted);

const open = (executablePath, further, unwanted) => chromium.launch({ ...options(executablePath, further), ignoreDefaultArgs: unwanted });

/** What Chromium's settings page writes down for a user who lets no site keep anything. */
const NOTHING_STORED = { profile: { default_content_setting_values: { cookies: 2 } } };

/**
 * A browser whose owner refuses cookies and storage to all sites.
 * @param {(context: import("playwright-core").BrowserContext) => Promise<void>} use
 */
export const withStorageRefused = async (use) => {
  const { context, close } = await openStorageRefused();
  await use(context).finally(close);
};

/**
 * The same, until it is closed.
 * @param {import("playwright-core").BrowserContextOptions} [further]
 * @returns {Promise<{context: import("playwright-core").BrowserContext, close: () => Promise<void>}>}
 */
export const openStorageRefused = async (further = {}) => {
  const profile = await mkdtemp(join(tmpdir(), "assay-e2e-"));
  await mkdir(join(profile, "Default"));
  await writeFile(join(profile, "Default", "Preferences"), JSON.stringify(NOTHING_STORED));
  const context = await chromium.launchPersistentContext(profile, { ...options(CHROMIUM), ...further });
  const close = async () => {
    await context.close();
    await rm(profile, { recursive: true, maxRetries: 5 });
  };
  return { context, close };
};
