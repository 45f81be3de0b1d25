/** What is remembered about the visitor under a key of `memory`; empty for nothing. */

import { memory } from "./memory";

export const recall = (key: string): string => memory[key] || "";
