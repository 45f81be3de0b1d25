/** WebKit, as WebKitGTK's MiniBrowser. It is told what to do by way of its WebDriver: https://www.w3.org/TR/webdriver2/. */

import { connect } from "node:net";

import { freePort } from "../site/freePort.mjs";
import { openDisplay } from "./display.mjs";
import { startProgram } from "./program.mjs";

const DRIVER = process.env.WEBKIT_DRIVER ?? "/usr/bin/WebKitWebDriver";

/** Without a graphics card, and without a sandbox: it cannot be set up within most containers. */
const PLAIN = {
  WEBKIT_DISABLE_COMPOSITING_MODE: "1",
  WEBKIT_DISABLE_DMABUF_RENDERER: "1",
  WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
};

/** What the driver has not answered by then it never does: it waits for ever for a browser that ended before it was connected. */
const ANSWER_MS = 20_000;

const NOTHING_STORED = ["--cookies-policy=never", "--enable-html5-local-storage=false"];

/**
 * @param {import("./browsers.mjs").Settings} [settings]
 * @returns {Promise<import("./browsers.mjs").OpenBrowser>}
 */
export const openWebkit = async ({ refusesStorage } = {}) => {
  const display = await openDisplay();
  const port = await freePort();
  const env = { ...process.env, ...PLAIN, DISPLAY: display.name };
  const driver = await startProgram(DRIVER, [`--port=${port}`], { env }, (program) => untilListening(program, port)).catch(
    async (error) => {
      await display.close();
      throw error;
    },
  );
  const ask = askAt(`http://127.0.0.1:${port}`);
  return {
    newTab: (proxy) => newTab(ask, proxy, refusesStorage ? NOTHING_STORED : []),
    async close() {
      await driver.stop();
      await display.close();
    },
  };
};

/** Asks the driver, and gives the value of its answer. */
const askAt = (base) => async (method, path, body) => {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(base + path, { method, body: body && JSON.stringify(body), signal }).catch((cause) => {
    throw new Error(`${method} ${path}: ${cause.message}`, { cause });
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
  return value;
};

/** The driver does not say when it is ready: it is asked until it answers, or has ended. */
const untilListening = async (driver, port) => {
  while (driver.exitCode === null && driver.signalCode === null) {
    if (await answersAt(port)) return;
  }
};

const answersAt = (port) =>
  new Promise((resolve) => {
    const probe = connect(port, "127.0.0.1", () => probe.destroy());
    probe.once("error", () => resolve(false));
    probe.once("close", (hadError) => resolve(!hadError));
  });

const newTab = async (ask, proxy, further) => {
  const alwaysMatch = {
    pageLoadStrategy: "none",
    proxy: { proxyType: "manual", httpProxy: proxy },
    "webkitgtk:browserOptions": { args: ["--automation", ...further] },
  };
  const { sessionId } = await ask("POST", "/session", { capabilities: { alwaysMatch } });
  const at = `/session/${sessionId}`;
  return {
    async goTo(url) {
      await ask("POST", `${at}/url`, { url });
    },
    evaluate: (expression) => ask("POST", `${at}/execute/sync`, { script: `return ${expression}`, args: [] }),
    close: () => ask("DELETE", at),
  };
};
