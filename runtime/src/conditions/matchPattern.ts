/** Looks for a regular expression in a text. One that is none is nowhere. */

import { attempt } from "../attempt";
import { beginningOf } from "./beginningOf";

export const matchPattern = (pattern: string, text: string): boolean => attempt(() => new RegExp(pattern).test(beginningOf(text))) === true;
