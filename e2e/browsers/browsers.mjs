/** The three browsers that stories are told in. Each module opens one; a browser gives each visitor a tab of their own. */

import { openChromium } from "./chromium.mjs";
import { openFirefox } from "./firefox.mjs";
import { openWebkit } from "./webkit.mjs";

/**
 * @typedef {object} Tab one visitor's, with cookies and storage of its own
 * @property {(url: string) => Promise<void>} goTo begins a navigation, and does not wait for its end
 * @property {(expression: string) => Promise<any>} evaluate what the expression comes to, or what its promise does
 * @property {() => Promise<void>} close
 */

/**
 * @typedef {object} OpenBrowser
 * @property {(proxy: string) => Promise<Tab>} newTab `proxy`: host and port that all its requests go through
 * @property {() => Promise<void>} close
 */

/**
 * @typedef {object} Settings
 * @property {boolean} [refusesStorage] its owner lets no site keep anything: neither cookies nor storage
 */

/** @type {Record<string, (settings?: Settings) => Promise<OpenBrowser>>} */
export const BROWSERS = { chromium: openChromium, firefox: openFirefox, webkit: openWebkit };
