/** Reads which variations the visitor's tab asked for: `?experimentation_x=5002,5012`, now or earlier. An empty list ends it. */

import { queryParameter } from "../conditions/queryParameter";
import { decodePercent } from "./decodePercent";
import { forcedVariations } from "./forcedVariations";
import { tabNote } from "./tabNote";
import { writeTabNote } from "./writeTabNote";

const NOTE = ":forced";

export const loadForcedVariations = (): void => {
  const asked = queryParameter("experimentation_x");
  if (asked !== undefined) {
    writeTabNote(NOTE, asked);
  }
  const ids = decodePercent(asked ?? tabNote(NOTE));
  if (ids) {
    forcedVariations.push(...ids.split(",").map((id) => id.trim()));
  }
};
