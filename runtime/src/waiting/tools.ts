/** `get("utils")`: what code of variations needs to wait for a page that is still being built. */

import type { WaitingTools } from "../../types/index";
import { observeSelector } from "./observeSelector";
import { poll } from "./poll";
import { waitForElement } from "./waitForElement";
import { waitUntil } from "./waitUntil";

export const tools = (): WaitingTools => ({ observeSelector, poll, Promise, waitForElement, waitUntil });
