/**
 * The one place that writes to the console, where the page has left it one: what the member's code, or a page we cannot change, did
 * wrong. Used everywhere.
 */

export const warn = (...details: unknown[]): void => window.console?.warn("experimentation:", ...details);
