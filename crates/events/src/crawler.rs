//! Programs that visit pages and say so in their `User-Agent` (RFC 9110 section 10.1.5): search engines, previews, page-speed tests.

/// What only programs write into their `User-Agent`, in lower case. Many name an address at which their owner explains them.
const WORDS: [&str; 16] = [
    "://",
    "bingpreview",
    "crawl",
    "externalhit",
    "google-read-aloud",
    "gtmetrix",
    "headless",
    "inspectiontool",
    "lighthouse",
    "mediapartners",
    "pagespeed",
    "phantomjs",
    "pingdom",
    "prerender",
    "slurp",
    "spider",
];

/// Phones whose maker's name ends as the names of robots do.
const PHONES: &str = "cubot";

/// Whether this `User-Agent` is that of a program. Those that pretend to be a person's browser are not found.
#[must_use]
pub fn is_crawler(user_agent: &str) -> bool {
    let text = user_agent.to_ascii_lowercase();
    WORDS.iter().any(|word| text.contains(word)) || names_robot(&text)
}

/// Whether a word ends in `bot`.
fn names_robot(text: &str) -> bool {
    let mut words = text.split(|character: char| !character.is_ascii_alphabetic());
    words.any(|word| word.ends_with("bot") && word != PHONES)
}

#[cfg(test)]
mod tests {
    use super::is_crawler;

    #[test]
    fn programs_that_say_so_are_found() {
        for user_agent in [
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/131.0.0.0 Safari/537.36",
            "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36 (compatible; GoogleOther)  bot",
            "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36",
            "Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 Chrome/119.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse",
            "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
            "Mozilla/5.0 (compatible; Baiduspider-render/2.0; +http://www.baidu.com/search/spider.html)",
            "Mozilla/5.0 (compatible; Yahoo! Slurp)",
            "Mozilla/5.0 (compatible; GPTBot/1.2)",
            "Mozilla/5.0 (compatible; Google-InspectionTool/1.0)",
        ] {
            assert!(is_crawler(user_agent), "{user_agent}");
        }
    }

    #[test]
    fn browsers_of_people_are_no_programs() {
        for user_agent in [
            "",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
            "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
            "Mozilla/5.0 (Linux; Android 9; CUBOT_X18 Build/PPR1) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36",
            "Mozilla/5.0 (Linux; Android 10; CUBOT X30) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 355.0 (iPhone14,5; en_US)",
        ] {
            assert!(!is_crawler(user_agent), "{user_agent}");
        }
    }
}
