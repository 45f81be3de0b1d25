//! A member in a browser without JavaScript, who gives applications their codes.

use anyhow::{Context as _, Result, ensure};

use crate::wire::{Answer, Wire};

/// The example of RFC 7636 appendix B.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// An OAuth client; a public one has no secret.
#[derive(Clone)]
pub(crate) struct Application {
    pub(crate) client_id: String,
    pub(crate) client_secret: Option<String>,
    pub(crate) redirect_uri: String,
}

/// A member who has signed in.
#[derive(Clone)]
pub(crate) struct Member {
    url: String,
    cookies: String,
}

impl Member {
    pub(crate) async fn sign_in(url: &str, email: &str, password: &str) -> Result<Self> {
        let mut wire = Wire::open(url).await?;
        let page = wire.get("/sign-in", "").await?;
        let form = filled_in(&page, &[("email", email), ("password", password)])?;
        let signed_in = wire.post("/sign-in", &cookie(&page.cookies()), &form).await?;
        ensure!(signed_in.status == 303, "signing in fails: {}", signed_in.body);
        Ok(Self { url: url.to_owned(), cookies: signed_in.cookies() })
    }

    /// The header that says who asks.
    pub(crate) fn cookie(&self) -> String {
        cookie(&self.cookies)
    }

    /// So many codes, one after the other.
    pub(crate) async fn codes(
        &self,
        application: &Application,
        count: usize,
    ) -> Result<Vec<String>> {
        let mut wire = Wire::open(&self.url).await?;
        let mut codes = Vec::with_capacity(count);
        while codes.len() < count {
            codes.push(self.code(&mut wire, application).await?);
        }
        Ok(codes)
    }

    async fn code(&self, wire: &mut Wire, application: &Application) -> Result<String> {
        let query = encode(&[
            ("response_type", "code"),
            ("client_id", &application.client_id),
            ("redirect_uri", &application.redirect_uri),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ]);
        let cookies = self.cookie();
        let mut answer = wire.get(&format!("/oauth2/authorize?{query}"), &cookies).await?;
        if answer.status == 200 {
            let form = filled_in(&answer, &[("decision", "allow")])?;
            answer = wire.post("/oauth2/authorize", &cookies, &form).await?;
        }
        answer.returned("code").with_context(|| format!("no code: {}", answer.head))
    }
}

pub(crate) fn encode(pairs: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

fn cookie(cookies: &str) -> String {
    format!("Cookie: {cookies}\r\n")
}

/// The form of a page with its hidden fields.
fn filled_in(page: &Answer, fields: &[(&str, &str)]) -> Result<String> {
    let mut pairs = Vec::new();
    for input in page.body.split("<input type=\"hidden\"").skip(1) {
        let attribute = |name: &str| {
            let (_, rest) = input.split_once(&format!(" {name}=\""))?;
            rest.split('"').next()
        };
        let name = attribute("name").context("a field without a name")?;
        let value = attribute("value").context("a field without a value")?;
        pairs.push((name, value.replace("&#38;", "&")));
    }
    let hidden = pairs.iter().map(|(name, value)| (*name, value.as_str()));
    Ok(encode(&hidden.chain(fields.iter().copied()).collect::<Vec<_>>()))
}
