/**
 * As much of a text as is compared with regular expressions: 2048 characters. Anybody can make a visitor come with an address as long as
 * they like, and what a browser needs grows with the square of it and more. The same limit in Rust: `crates/decide/src/pattern.rs`.
 */
export const beginningOf = (text: string): string => text.slice(0, 2048);
