/** Replaces what analytics tools may stumble over: each run of other characters than these by one underscore. */

export const cleanText = (text: string): string => text.replace(/[^A-Za-z0-9.~!*()']+/g, "_");
