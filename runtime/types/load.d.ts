/**
 * A loader for pages that cannot have the snippet as a tag in their head, and short ways to what it says. Everything works on a
 * server too: there is no snippet there.
 *
 * Visitors of a page that loads the snippet late see the original first. The tag stays the right way where you can write it:
 * `<script src="https://experiments.shop.example/js/1000.js"></script>`, first in the head.
 */

import type { Command, Experimentation, State } from "./index.js";

export * from "./index.js";

/** How to load a snippet. */
export interface LoadOptions {
  /** The nonce of the page's Content-Security-Policy. */
  nonce?: string;
  /** How long to wait for the server before giving up. Default 10. */
  timeoutSeconds?: number;
}

/**
 * Puts the snippet into the page, and answers once it has decided everything. The same address is loaded once, however often this is
 * called; a snippet that is in the page already is taken as it is. After a failure the next call tries again.
 * @throws Error (as a rejection) if the address does not answer in time, answers something else, or there is no page
 * @example const { get } = await loadSnippet("https://experiments.shop.example/js/1000.js");
 */
export function loadSnippet(address: string | URL, options?: LoadOptions): Promise<Experimentation>;

/** The object of a snippet that has run; `undefined` before, and on a server. */
export function getExperimentation(): Experimentation | undefined;

/** The state module of a snippet that has run; `undefined` before, and on a server. */
export function getState(): State | undefined;

/** Runs a command, at once or as soon as the snippet has run. On a server it does nothing. */
export function push(command: Command): void;
