/**
 * MurmurHash3, x86 32-bit variant, of a text's UTF-8 bytes. `crates/decide/src/bucketing.rs` has its twin; both pass
 * `spec/vectors/bucketing.json`.
 */

export const murmur3 = (text: string, seed: number): number => {
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
