/** The first number in a text such as `$ 1234.50`, `1234,50 EUR` or `$.99`, once nothing parts thousands any more; `undefined` for none. */

export const numberIn = (text: string): number | undefined => {
  // A letter before the mark makes it the end of a word: `Rs.500`.
  const [whole, fraction] = /-?\d+(?:[.,]\d+)?|(?:^|[^\w.,])([.,]\d+)/.exec(text) || [];
  return whole === undefined ? undefined : Number((fraction || whole).replace(",", "."));
};
