/** Firefox, which speaks WebDriver BiDi itself: https://www.w3.org/TR/webdriver-bidi/. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectBidi, valueOf } from "./bidi.mjs";
import { startProgram } from "./program.mjs";

const EXECUTABLE = process.env.FIREFOX ?? "/usr/bin/firefox-esr";

/** Only the proxy that each tab names answers its requests. */
const QUIET = {
  "app.update.disabledForTesting": true,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 9,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 9,
  "remote.prefs.recommended": true,
  "toolkit.telemetry.server": "",
};

/** What its settings page calls blocking all cookies; storage is meant, too. */
const NOTHING_STORED = { "network.cookie.cookieBehavior": 2 };

/**
 * @param {import("./browsers.mjs").Settings} [settings]
 * @returns {Promise<import("./browsers.mjs").OpenBrowser>}
 */
export const openFirefox = async ({ refusesStorage } = {}) => {
  const profile = await mkdtemp(join(tmpdir(), "assay-e2e-"));
  await writeFile(join(profile, "user.js"), preferences({ ...QUIET, ...(refusesStorage && NOTHING_STORED) }));
  const flags = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
  const program = await startProgram(EXECUTABLE, flags, {}, listeningAt);
  const bidi = await connectBidi(`${program.shown}/session`);
  await bidi.send("session.new", { capabilities: {} });
  return {
    newTab: (proxy) => newTab(bidi, proxy),
    async close() {
      await program.stop(() => bidi.send("browser.close"));
      bidi.close();
      await rm(profile, { recursive: true, maxRetries: 5 });
    },
  };
};

const preferences = (values) =>
  Object.entries(values)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join("");

/** Firefox says on its error stream where it listens. */
const listeningAt = ({ stderr }) =>
  new Promise((resolve) => {
    let said = "";
    stderr.on("data", (text) => {
      said += text;
      const address = /WebDriver BiDi listening on (\S+)/.exec(said);
      if (address) resolve(address[1]);
    });
  });

const newTab = async (bidi, proxy) => {
  const { userContext } = await bidi.send("browser.createUserContext", {
    proxy: { proxyType: "manual", httpProxy: proxy },
  });
  const { context } = await bidi.send("browsingContext.create", { type: "tab", userContext });
  return {
    goTo: (url) => bidi.send("browsingContext.navigate", { context, url, wait: "none" }),
    async evaluate(expression) {
      const answer = await bidi.send("script.evaluate", { expression, target: { context }, awaitPromise: true });
      if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
      return valueOf(answer.result);
    },
    close: () => bidi.send("browser.removeUserContext", { userContext }),
  };
};
