/** Puts visitors into buckets, and buckets into shares. */

/** Puts a text, the visitor's id followed by that of a campaign or experiment, into one of 10,000 buckets: 0 to 9999. */
export const bucketOf = (text: string, seed: number): number => Math.floor((murmur3(text, seed) / 2 ** 32) * 10000);

/**
 * Finds the share of all visitors that a bucket falls into: its place, or -1 where the shares leave a hole. `ends` are the shares'
 * cumulative exclusive ends; `0`: `count` equal shares, of which the last one reaches to the end.
 */
export const shareAt = (bucket: number, count: number, ends: readonly number[] | 0 | undefined): number => {
  if (__WEIGHTS__ && ends) {
    return ends.findIndex((end) => bucket < end);
  }
  return Math.min(Math.floor(bucket / Math.floor(10000 / count)), count - 1);
};

/**
 * MurmurHash3, x86 32-bit variant, of a text's UTF-8 bytes. `crates/decide/src/bucketing.rs` has its twin; both pass
 * `spec/vectors/bucketing.json`.
 */
const murmur3 = (text: string, seed: number): number => {
  // Ids are ASCII nearly always; then the text's units are its bytes, and no encoder has to be asked.
  const bytes = /[^\0-\x7f]/.test(text) ? String.fromCharCode(...new TextEncoder().encode(text)) : text;
  const { length } = bytes;
  let hash = seed;
  let block = 0;
  for (let at = 0; at < length; at++) {
    block |= bytes.charCodeAt(at) << (at << 3);
    if ((at & 3) === 3) {
      hash ^= scrambled(block);
      hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
      block = 0;
    }
  }
  hash ^= scrambled(block) ^ length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

const scrambled = (block: number): number => {
  const bits = Math.imul(block, 0xcc9e2d51);
  return Math.imul((bits << 15) | (bits >>> 17), 0x1b873593);
};
