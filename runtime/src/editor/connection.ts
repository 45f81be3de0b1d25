/**
 * The conversation with the console's window, which opened this one: the list of changes goes there, and is saved there. The network is
 * not asked for anything: the page's policy need not allow it, and no secret that could write is ever in the page.
 */

import { editing } from "../project/config";
import type { DocumentChange } from "../project/editing";

/** What the console answers. */
interface ConsoleMessage {
  /** The list that the console has, if it is not what was sent to it. */
  readonly changes?: readonly DocumentChange[];
  /** Whether the member chose that list in the console, and may want the one before it back. */
  readonly isUndoable?: boolean;
  /** What became of the list: saved, or why not. */
  readonly status?: string;
}

/** The console answers at once what became of a list. Its window is open still when another page is in it, which does not. */
const ANSWER_MS = 1000;

const opener = window.opener as Window | null;

let status = "";
let isSilent = false;
let answerTimer: ReturnType<typeof setTimeout> | undefined;

/** Whether a window opened this one, may be talked to, and answers. */
export const hasConsole = (): boolean => isConsoleOpen() && !isSilent;

/** What the console said became of the list; empty until it has said so of the present one. */
export const consoleStatus = (): string => status;

/** Sends the list to the console's window. A silent one gets it, too: it may only have been slow. */
export const tellConsole = (type: "ready" | "changes", changes: readonly DocumentChange[]): void => {
  if (type === "changes") {
    status = "";
    answerTimer ??= setTimeout(() => (isSilent = true), ANSWER_MS);
  }
  if (isConsoleOpen()) {
    opener?.postMessage({ assay: "editor", nonce: editing.nonce, type, changes }, editing.console);
  }
};

/** Hears what the console's window says; what any other window or origin says does not count. */
export const hearConsole = (hear: (message: ConsoleMessage) => void): void => {
  addEventListener("message", ({ data, origin, source }: MessageEvent<Partial<Record<"assay" | "nonce", unknown>> & ConsoleMessage>) => {
    if (opener && source === opener && origin === editing.console && data?.assay === "console" && data.nonce === editing.nonce) {
      clearTimeout(answerTimer);
      answerTimer = undefined;
      isSilent = false;
      status = data.status ?? "";
      hear(data);
    }
  });
};

const isConsoleOpen = (): boolean => !!opener && !opener.closed;
