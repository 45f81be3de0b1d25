/** Remembers something about the visitor where it is first seen; later page views no longer change it. */

import { memorize } from "./memorize";
import { recall } from "./recall";

export const keepFirst = (key: string, seen = ""): void => {
  if (!recall(key)) {
    memorize(key, encodeURIComponent(seen), 1);
  }
};
