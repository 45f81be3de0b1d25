/** Puts a text, the visitor's id followed by that of a campaign or experiment, into one of 10,000 buckets: 0 to 9999. */

import { murmur3 } from "./murmur3";

export const bucketOf = (text: string, seed: number): number => Math.floor((murmur3(text, seed) / 2 ** 32) * 10000);
