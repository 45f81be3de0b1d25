/** The one place that writes to the console: what the member's code, or a page we cannot change, did wrong. Used everywhere. */

export const warn = (...details: unknown[]): void => console.warn("experimentation:", ...details);
