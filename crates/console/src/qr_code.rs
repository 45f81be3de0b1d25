//! A QR code of a link, drawn into the page: the policy of our pages takes no image from elsewhere, and a phone's camera no dark background.

use std::fmt::Write as _;

use qrcodegen::{QrCode, QrCodeEcc};

/// The quiet zone that ISO/IEC 18004 asks for on each side.
const QUIET: i32 = 4;

/// A QR code as what an SVG element needs.
pub(crate) struct ShownCode {
    /// Width and height with the quiet zone, in modules.
    pub(crate) size: i32,
    /// The dark modules, as the data of one path.
    pub(crate) path: String,
}

/// The code of a text; `None` if it is too long for any.
pub(crate) fn qr_code(text: &str) -> Option<ShownCode> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let dark = (x..code.size()).take_while(|x| code.get_module(*x, y)).count();
            let width = i32::try_from(dark).expect("a code is 177 modules wide at most");
            if width > 0 {
                let (left, top) = (x + QUIET, y + QUIET);
                write!(path, "M{left} {top}h{width}v1h-{width}z").expect("writing to a string");
            }
            x += width + 1;
        }
    }
    Some(ShownCode { size: code.size() + 2 * QUIET, path })
}

#[cfg(test)]
mod tests {
    use super::qr_code;

    #[test]
    fn a_code_begins_with_its_finder_behind_the_quiet_zone() {
        let code = qr_code("https://shop.example/").unwrap();

        assert_eq!(code.size, 33, "25 modules and the quiet zone");
        assert!(code.path.starts_with("M4 4h7v1h-7z"), "{}", code.path);
        assert!(code.path.ends_with('z') && code.path.contains("M4 5h1v1h-1z"));
    }

    #[test]
    fn a_text_beyond_any_code_has_none() {
        assert!(qr_code(&"x".repeat(2_900)).is_some());
        assert!(qr_code(&"x".repeat(3_000)).is_none());
    }
}
