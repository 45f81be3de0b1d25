/** The first number in a text such as `$ 1,234.50` or `1.234,50 EUR`, once the marks that part thousands are gone; `undefined` for none. */

export const numberIn = (text: string, thousandsMarks: RegExp): number | undefined => {
  const [digits] = /-?\d+([.,]\d+)?/.exec(text.replace(thousandsMarks, "")) || [];
  return digits === undefined ? undefined : Number(digits.replace(",", "."));
};
