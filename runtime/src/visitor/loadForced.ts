/**
 * Reads what the visitor's tab asked for, now or earlier: `?experimentation_x=5002,5012` for variations, and
 * `?experimentation_x_audiences=6001` for audiences. An empty list ends it.
 */

import { queryParameter } from "../conditions/queryParameter";
import { decodePercent } from "./decodePercent";
import { forcedAudiences } from "./forcedAudiences";
import { forcedVariations } from "./forcedVariations";
import { tabNote } from "./tabNote";
import { writeTabNote } from "./writeTabNote";

export const loadForced = (): void => {
  load("x", forcedVariations);
  if (__AUDIENCES__) {
    load("x_audiences", forcedAudiences);
  }
};

const load = (name: string, ids: number[]): void => {
  const asked = queryParameter("experimentation_" + name);
  if (asked !== undefined) {
    writeTabNote(":" + name, asked);
  }
  const list = decodePercent(asked ?? tabNote(":" + name));
  if (list) {
    ids.push(...list.split(",").map(Number));
  }
};
