//! Percent-encoding, as cookies and lists in addresses carry it.

/// The decoded text; a text with stray percent signs, or ones that make no UTF-8, stays as it is.
pub(crate) fn decode_percent(text: &str) -> String {
    decoded(text).unwrap_or_else(|| text.to_owned())
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            let (digits, next) = after.split_at_checked(2)?;
            let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
            let digits = std::str::from_utf8(digits).ok().filter(|_| is_hex)?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = next;
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}
