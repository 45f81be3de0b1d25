/** Cuts a text to a length in UTF-16 units; to one less where it would halve a surrogate pair. */

export const cutText = (text: string, length: number): string => {
  // Only a pair that goes on after the cut gives a code point beyond the first 65,536.
  const isHalved = Number(text.codePointAt(length - 1)) > 0xffff;
  return text.slice(0, isHalved ? length - 1 : length);
};
