//! The hash under [`crate::bucket`]: Austin Appleby's murmur3, the 32-bit variant for x86.

const BLOCK_BYTES: usize = 4;
const C1: u32 = 0xcc9e_2d51;
const C2: u32 = 0x1b87_3593;

/// The hash of `bytes`. A length beyond 32 bits counts modulo 2^32, as in the reference
/// implementation.
pub(crate) fn murmur3_x86_32(bytes: &[u8], seed: u32) -> u32 {
    let (blocks, tail) = bytes.as_chunks::<BLOCK_BYTES>();
    let body = blocks.iter().fold(seed, |hash, block| {
        (hash ^ scramble(u32::from_le_bytes(*block)))
            .rotate_left(13)
            .wrapping_mul(5)
            .wrapping_add(0xe654_6b64)
    });
    finish(body ^ scramble(little_endian(tail)) ^ length_word(bytes))
}

/// Zero stays zero, so that an empty tail changes nothing.
fn scramble(word: u32) -> u32 {
    word.wrapping_mul(C1).rotate_left(15).wrapping_mul(C2)
}

fn little_endian(tail: &[u8]) -> u32 {
    tail.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
}

#[expect(clippy::cast_possible_truncation, reason = "the reference implementation truncates")]
fn length_word(bytes: &[u8]) -> u32 {
    bytes.len() as u32
}

fn finish(hash: u32) -> u32 {
    let hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    let hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

#[cfg(test)]
mod tests {
    use super::murmur3_x86_32;

    /// Answers of another author's implementation, one per length of the tail.
    #[test]
    fn hashes_are_those_of_the_reference_implementation() {
        let answers = [
            ("", 0, 0),
            ("", 1, 0x514e_28b7),
            ("", 0xffff_ffff, 0x81f1_6f39),
            ("a", 0x9747_b28c, 0x7fa0_9ea6),
            ("aa", 0x9747_b28c, 0x5d21_1726),
            ("aaa", 0x9747_b28c, 0x283e_0130),
            ("aaaa", 0x9747_b28c, 0x5a97_808a),
            ("Hello, world!", 0x9747_b28c, 0x2488_4cba),
        ];
        for (text, seed, hash) in answers {
            assert_eq!(murmur3_x86_32(text.as_bytes(), seed), hash, "{text:?} with seed {seed:#x}");
        }
    }
}
