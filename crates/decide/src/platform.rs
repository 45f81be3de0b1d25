//! Which operating system a user agent speaks for.

use std::sync::LazyLock;

use crate::device::is_disguised_ipad;
use crate::first_sign::Signs;

/// In this order, since phones also name what they want to be taken for. Windows has versions of its own, which few know.
static PLATFORMS: LazyLock<Signs> = LazyLock::new(|| {
    Signs::new(&[
        ("windows phone_", r"Windows Phone(?: OS)? ([0-9.]+)"),
        ("windows_8.1", r"Windows NT 6\.3"),
        ("windows_8", r"Windows NT 6\.2"),
        ("windows_7", r"Windows NT 6\.1"),
        ("windows_vista", r"Windows NT 6\.0"),
        ("windows_xp", r"Windows NT 5\.[12]"),
        ("windows_", r"Windows(?: NT ([0-9]+))?"),
        ("blackberry_", r"(?:BB|BlackBerry.*Version/)([0-9.]+)"),
        ("ios_", r"(?:iPhone|iPad|iPod)(?:.*? OS ([0-9_]+))?"),
        ("android_", r"Android(?: ([0-9.]+))?"),
        ("chrome os_", r"CrOS [0-9A-Za-z_]+ ([0-9.]+)"),
        ("tizen_", r"Tizen ?([0-9.]*)"),
        ("webos_", r"(?:web|Web)[O0]S(?:/([0-9.]+))?"),
        ("mac os_", r"Mac OS X ?([0-9_.]*)"),
        ("linux_", r"Linux|X11"),
    ])
});

/// The system with its version, such as `ios_17.1` or `mac os_10.15.7`; empty where the user agent names none.
pub(crate) fn platform_of(user_agent: &str, touch_points: u32) -> String {
    if is_disguised_ipad(user_agent, touch_points) {
        return "ios_".to_owned();
    }
    PLATFORMS.first_in(user_agent)
}
