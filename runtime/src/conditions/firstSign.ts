/** What the first of some signs that is in a text stands for, with the version it tells; empty without any. */

/** The sign's first group is the version. */
export type Sign = readonly [name: string, sign: RegExp];

export const firstSign = (text: string, signs: readonly Sign[]): string => {
  for (const { 0: name, 1: sign } of signs) {
    const found = sign.exec(text);
    if (found) {
      return name + (found[1] || "").replace(/_/g, ".");
    }
  }
  return "";
};
