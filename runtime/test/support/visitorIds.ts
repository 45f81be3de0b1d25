/** Visitors by what they are given. */

import { vi } from "vitest";
import { bucketOf } from "../../src/decide/bucketing";

/** The id of a visitor who is given this variation by each of these experiments, if it has two of equal weight. */
export const idGiven = (place: 0 | 1, ...experimentIds: number[]): string => {
  for (let number = 0; ; number++) {
    const id = "v" + number;
    if (experimentIds.every((experiment) => bucketOf(id + experiment, 1) >= 5000 === (place === 1))) {
      return id;
    }
  }
};

/**
 * Sets the cookie of a visitor whom the experiments give their first variation, and has the snippet make an id that they give the second:
 * without consent, it may not read the cookie. Returns the id in the cookie.
 */
export const comeUnasked = (...experimentIds: number[]): string => {
  const id = idGiven(0, ...experimentIds);
  document.cookie = "experimentation_id=" + id;
  vi.spyOn(crypto, "getRandomValues").mockReturnValue({ join: () => idGiven(1, ...experimentIds) } as never);
  return id;
};
