/** Debian's Chromium, headless and quiet: it talks to nobody but the server under test. */

import { chromium } from "playwright-core";

const EXECUTABLE = process.env.CHROMIUM ?? "/usr/bin/chromium";

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

/** @returns {Promise<import("playwright-core").Browser>} */
export const openBrowser = () => chromium.launch({ executablePath: EXECUTABLE, args: [...QUIET, ...AS_ROOT] });
