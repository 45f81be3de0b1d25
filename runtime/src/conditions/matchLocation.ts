/**
 * Whether a location, `[country, region, city, continent, dma]`, is the one of a condition: `US`, `US|CA`, `US|CA|SANFRANCISCO` or
 * `US||SANFRANCISCO`. With four parts only the continent counts, `|||NA`; with five only the market area, `||||807`.
 */

export const matchLocation = (location: readonly string[], value: string): boolean => {
  const parts = value.split("|").map((part) => part.trim());
  const last = parts.length - 1;
  return last > 2
    ? !!parts[last] && parts[last] === location[last]
    : !!parts[0] && parts.every((part, place) => part === location[place] || (place === 1 && !part));
};
