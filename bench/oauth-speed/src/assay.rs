//! The real binary with its demo, and what the load needs of it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::member::{Application, Member, VERIFIER};
use crate::server::Server;
use crate::task::ask_for_tokens;
use crate::wire::Wire;

pub(crate) struct Assay {
    pub(crate) server: Server,
    pub(crate) member: Member,
    /// Proves who it is, and keeps its refresh token.
    pub(crate) confidential: Application,
    /// Cannot, so its refresh tokens rotate.
    pub(crate) public: Application,
}

pub(crate) struct Tokens {
    pub(crate) access: String,
    pub(crate) refresh: String,
}

impl Assay {
    /// Serves on `--data DIRECTORY` or `--database ADDRESS`.
    pub(crate) async fn start(binary: &Path, folder: &Path, place: [&str; 2]) -> Result<Self> {
        let ready_file = folder.join("ready.json");
        let mut command = serve(binary, place);
        let server = Server::start(command.arg("--demo").arg("--ready-file").arg(&ready_file))?;
        let ready: Value = serde_json::from_slice(&fs::read(ready_file)?)?;
        let (member, application) = (&ready["member"], &ready["application"]);
        let (email, password) = (text(member, "email")?, text(member, "password")?);
        Ok(Self {
            member: Member::sign_in(&server.url, &email, &password).await?,
            confidential: Application {
                client_id: text(application, "client_id")?,
                client_secret: Some(text(application, "client_secret")?),
                redirect_uri: text(application, "redirect_uri")?,
            },
            public: public_application(binary, place)?,
            server,
        })
    }

    /// So many pairs of tokens.
    pub(crate) async fn tokens(
        &self,
        application: &Application,
        count: usize,
    ) -> Result<Vec<Tokens>> {
        let codes = self.member.codes(application, count).await?;
        let mut wire = Wire::open(&self.server.url).await?;
        let mut tokens = Vec::with_capacity(count);
        for code in codes {
            let fields = [
                ("grant_type", "authorization_code"),
                ("code", &*code),
                ("redirect_uri", &*application.redirect_uri),
                ("code_verifier", VERIFIER),
            ];
            let answer = ask_for_tokens(&mut wire, application, &fields).await?;
            let text = |name| answer.text(name).map(str::to_owned).context("no tokens");
            tokens.push(Tokens { access: text("access_token")?, refresh: text("refresh_token")? });
        }
        Ok(tokens)
    }
}

/// How long an empty store takes until the server is ready, and how much it holds then, in milliseconds and megabytes.
pub(crate) async fn start_empty(binary: &Path) -> Result<(f64, f64)> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    let begun = Instant::now();
    let server = Server::start(&mut serve(binary, ["--data", &data.to_string_lossy()]))?;
    let ready = Wire::open(&server.url).await?.get("/readyz", "").await?;
    let milliseconds = begun.elapsed().as_secs_f64() * 1_000.0;
    ensure!(ready.status == 200, "not ready: {}", ready.body);
    Ok((milliseconds, server.resident_megabytes()?))
}

fn serve(binary: &Path, place: [&str; 2]) -> Command {
    let mut command = Command::new(binary);
    command.arg("serve").args(place).args(["--listen", "127.0.0.1:0"]).env_clear();
    // The load comes from one member, faster than any member writes.
    command.args(["--writes-per-minute", "1000000"]);
    command
}

fn public_application(binary: &Path, place: [&str; 2]) -> Result<Application> {
    let redirect_uri = "http://127.0.0.1/callback";
    let mut command = Command::new(binary);
    command.args(["application", "add", "Phone", "--public", "--redirect-uri", redirect_uri]);
    let output = command.args(place).arg("--json").env_clear().output()?;
    ensure!(output.status.success(), "no application: {}", String::from_utf8_lossy(&output.stderr));
    let added: Value = serde_json::from_slice(&output.stdout)?;
    Ok(Application {
        client_id: text(&added, "client_id")?,
        client_secret: None,
        redirect_uri: redirect_uri.to_owned(),
    })
}

fn text(value: &Value, name: &str) -> Result<String> {
    Ok(value[name].as_str().with_context(|| format!("no {name}"))?.to_owned())
}
