/** Finds the share of all visitors that a bucket falls into: its place, or -1 where the shares leave a hole. */

/** `ends` are the shares' cumulative exclusive ends; `0`: `count` equal shares, of which the last one reaches to the end. */
export const shareAt = (bucket: number, count: number, ends: readonly number[] | 0 | undefined): number => {
  if (__WEIGHTS__ && ends) {
    return ends.findIndex((end) => bucket < end);
  }
  return Math.min(Math.floor(bucket / Math.floor(10000 / count)), count - 1);
};
