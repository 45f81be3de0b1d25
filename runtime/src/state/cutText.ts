/** Cuts a text to a length in UTF-16 units; to one less where it would halve a surrogate pair. */

/** Only a pair that goes on after the cut gives a code point beyond the first 65,536. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, Number(text.codePointAt(length - 1)) > 0xffff ? length - 1 : length);
