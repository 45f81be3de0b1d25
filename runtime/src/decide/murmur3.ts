/**
 * MurmurHash3, x86 32-bit variant, of a text's UTF-8 bytes. `crates/decide/src/bucketing.rs` has its twin; both pass
 * `spec/vectors/bucketing.json`.
 */

export const murmur3 = (text: string, seed: number): number => {
  const bytes = new TextEncoder().encode(text);
  const { length } = bytes;
  let hash = seed;
  let block = 0;
  for (let at = 0; at < length; at++) {
    block |= bytes[at] << (at << 3);
    if ((at & 3) === 3) {
      hash = Math.imul(rotated(hash ^ scrambled(block), 13), 5) + 0xe6546b64;
      block = 0;
    }
  }
  hash ^= scrambled(block) ^ length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

const scrambled = (block: number): number => Math.imul(rotated(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);

const rotated = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by));
