//! A device that holds a passkey, and the script of the page that brings its answers: all of Web Authentication that a browser does. A
//! story may let it answer wrongly.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::browser::{Browser, form_token};
use crate::site::{Answer, PUBLIC_URL};

/// The flags: user present, user verified, and a key is in the data (Web Authentication, section 6.1).
const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const HAS_KEY: u8 = 0x40;

pub(crate) struct Authenticator {
    key: EcdsaKeyPair,
    pub(crate) credential_id: Vec<u8>,
    pub(crate) user_handle: Vec<u8>,
    /// How often it has signed; 0 if it does not count.
    pub(crate) counter: u32,
    /// The origin of the page that asks.
    pub(crate) origin: String,
    /// The host that the device is told.
    pub(crate) rp_id: String,
    /// Whether it asks for a finger, a face or a PIN.
    pub(crate) verifies_user: bool,
}

/// A question of the server.
pub(crate) struct Question {
    options: Value,
    pub(crate) ticket: String,
}

impl Question {
    pub(crate) async fn fetch(browser: &Browser<'_>, page: &Answer, path: &str) -> Self {
        let answer = browser.post(path, &[("csrf", form_token(page))]).await;
        assert_eq!(answer.status.as_u16(), 200, "{}", answer.body);
        assert_eq!(answer.header("cache-control"), "no-store");
        let json = answer.json();
        let ticket = json["ticket"].as_str().unwrap().to_owned();
        Self { options: json["options"]["publicKey"].clone(), ticket }
    }

    pub(crate) fn option(&self, pointer: &str) -> &Value {
        self.options.pointer(pointer).unwrap_or_else(|| panic!("{pointer} in {}", self.options))
    }

    fn challenge(&self) -> &str {
        self.option("/challenge").as_str().unwrap()
    }
}

impl Authenticator {
    pub(crate) fn new(name: &str) -> Self {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_ASN1_SIGNING;
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        Self {
            key: EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.as_ref(), &random).unwrap(),
            credential_id: name.as_bytes().to_vec(),
            user_handle: Vec::new(),
            counter: 0,
            origin: PUBLIC_URL.to_owned(),
            rp_id: "assay.example".to_owned(),
            verifies_user: true,
        }
    }

    /// Makes a passkey for a member who is signed in, and gives the page that says what came of it.
    pub(crate) async fn add_to(&mut self, browser: &Browser<'_>) -> Answer {
        let account = browser.open("/account").await;
        let question = Question::fetch(browser, &account, "/account/add-passkey/question").await;
        let credential = self.create(&question);
        let fields = [
            ("csrf", form_token(&account)),
            ("ticket", &question.ticket),
            ("credential", &credential),
        ];
        let answer = browser.post("/account/add-passkey", &fields).await;
        browser.open(answer.location()).await
    }

    /// Signs in on a page that offers it.
    pub(crate) async fn sign_in(&mut self, browser: &Browser<'_>, page: &Answer) -> Answer {
        let question = Question::fetch(browser, page, "/sign-in/passkey/question").await;
        let credential = self.get(&question);
        send(browser, page, &question.ticket, &credential).await
    }

    /// What the device answers when it is asked to make a passkey.
    pub(crate) fn create(&mut self, question: &Question) -> String {
        let handle = question.option("/user/id").as_str().unwrap();
        self.user_handle = URL_SAFE_NO_PAD.decode(handle).unwrap();
        let mut data = self.data(HAS_KEY);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.credential_id.len()).unwrap().to_be_bytes());
        data.extend(&self.credential_id);
        let point = self.key.public_key().as_ref();
        // A map of five: key type EC2, algorithm ES256, curve P-256, and the two coordinates (RFC 9052, section 7).
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32]);
        data.extend(&point[1..33]);
        data.extend([0x22, 0x58, 32]);
        data.extend(&point[33..]);
        let mut attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        attestation.push(u8::try_from(data.len()).unwrap());
        attestation.extend(data);
        let response = json!({
            "clientDataJSON": self.client_data("webauthn.create", question),
            "attestationObject": text(&attestation),
        });
        self.credential(&response)
    }

    /// What it answers when it is asked who is there.
    pub(crate) fn get(&mut self, question: &Question) -> String {
        if self.counter > 0 {
            self.counter += 1;
        }
        let data = self.data(0);
        let client_data = self.client_data("webauthn.get", question);
        let signed = [data.clone(), Sha256::digest(bytes(&client_data)).to_vec()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        let response = json!({
            "clientDataJSON": client_data,
            "authenticatorData": text(&data),
            "signature": text(signature.as_ref()),
            "userHandle": text(&self.user_handle),
        });
        self.credential(&response)
    }

    fn credential(&self, response: &Value) -> String {
        let id = text(&self.credential_id);
        json!({"id": id, "rawId": id, "type": "public-key", "response": response, "extensions": {}})
            .to_string()
    }

    fn data(&self, more: u8) -> Vec<u8> {
        let verified = if self.verifies_user { VERIFIED } else { 0 };
        let mut data = Sha256::digest(&self.rp_id).to_vec();
        data.push(PRESENT | verified | more);
        data.extend(self.counter.to_be_bytes());
        data
    }

    fn client_data(&self, kind: &str, question: &Question) -> String {
        let client_data = json!({
            "type": kind, "challenge": question.challenge(), "origin": self.origin, "crossOrigin": false,
        });
        text(client_data.to_string().as_bytes())
    }
}

/// Sends an answer to the sign-in page.
pub(crate) async fn send(
    browser: &Browser<'_>,
    page: &Answer,
    ticket: &str,
    credential: &str,
) -> Answer {
    let (_, return_to) = page.body.split_once("name=\"return_to\" value=\"").unwrap();
    let return_to = return_to.split('"').next().unwrap().replace("&#38;", "&");
    let fields = [
        ("csrf", form_token(page)),
        ("ticket", ticket),
        ("credential", credential),
        ("return_to", &return_to),
    ];
    browser.post("/sign-in/passkey", &fields).await
}

fn text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn bytes(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap()
}
