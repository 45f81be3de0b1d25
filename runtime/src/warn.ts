/**
 * The one place that writes to the console, where the page has left it one: what the member's code, or a page we cannot change, did
 * wrong. Used everywhere.
 */

import { attempt } from "./attempt";

export const warn = (...details: unknown[]): void => attempt(() => console.warn("experimentation:", ...details));
