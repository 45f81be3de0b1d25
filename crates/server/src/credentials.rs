//! What `assay login` got: tokens by server, in a file that only its owner reads.

mod authorization;

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use url::Url;

pub(crate) use self::authorization::{Authorization, Tokens};
use crate::clock::machine_time;
use crate::failure::Failure;

/// A token that ends sooner is renewed first: a request takes its time, and clocks differ.
const LEFT_AT_LEAST_MS: i64 = 60_000;

/// The file. There is no `Debug`.
#[derive(Default, Serialize, Deserialize)]
struct CredentialsFile {
    /// The server of the last login.
    last: Option<String>,
    servers: BTreeMap<String, Login>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Login {
    access_token: String,
    /// In milliseconds since 1970-01-01 UTC.
    expires_at: i64,
    refresh_token: String,
}

/// The server of the last login.
pub(crate) fn last_server() -> Result<Option<String>, Failure> {
    Ok(read()?.last)
}

/// A good access token for a server, if the user is signed in there.
pub(crate) fn access_token(server: &Url) -> Result<Option<SecretString>, Failure> {
    let is_good =
        |login: &Login| login.expires_at > machine_time().as_milliseconds() + LEFT_AT_LEAST_MS;
    let Some(login) = read()?.servers.remove(server.as_str()) else { return Ok(None) };
    if is_good(&login) {
        return Ok(Some(login.access_token.into()));
    }
    // A refresh token is good for one renewal: of several commands at once, one renews, and the others read what it got.
    let _alone = lock()?;
    let Some(login) = read()?.servers.remove(server.as_str()) else { return Ok(None) };
    if is_good(&login) {
        return Ok(Some(login.access_token.into()));
    }
    let renewed = Authorization::of(server)?.renew(&login.refresh_token.into())?;
    let Some(tokens) = renewed else {
        change(|file| file.servers.remove(server.as_str()))?;
        return Err(Failure::input(format_args!(
            "your login at {server} has ended\n  hint: `assay login --server {server}`"
        )));
    };
    put(server, &tokens)?;
    Ok(Some(tokens.access))
}

/// Whether tokens can be kept, which a member would learn last.
pub(crate) fn check() -> Result<(), Failure> {
    let _alone = lock()?;
    read()?;
    let folder = made_folder()?;
    NamedTempFile::new_in(&folder).map(drop).map_err(|error| {
        Failure::environment(format_args!("cannot write to `{}`: {error}", folder.display()))
    })
}

/// Keeps the tokens of a login, and returns the refresh token of the one before.
pub(crate) fn keep(server: &Url, tokens: &Tokens) -> Result<Option<SecretString>, Failure> {
    let _alone = lock()?;
    let before = put(server, tokens)?;
    Ok(before.map(|login| login.refresh_token.into()))
}

/// Forgets a login, and returns its refresh token.
pub(crate) fn forget(server: &Url) -> Result<Option<SecretString>, Failure> {
    let _alone = lock()?;
    let login = change(|file| {
        file.last = file.last.take().filter(|last| last != server.as_str());
        file.servers.remove(server.as_str())
    })?;
    Ok(login.map(|login| login.refresh_token.into()))
}

/// Returns the login before.
fn put(server: &Url, tokens: &Tokens) -> Result<Option<Login>, Failure> {
    let login = Login {
        access_token: tokens.access.expose_secret().to_owned(),
        expires_at: machine_time().as_milliseconds() + tokens.lifetime_ms,
        refresh_token: tokens.refresh.expose_secret().to_owned(),
    };
    change(|file| {
        file.last = Some(server.to_string());
        file.servers.insert(server.to_string(), login)
    })
}

/// The folder of the user's configuration (XDG Base Directory Specification).
fn folder() -> Option<PathBuf> {
    let of = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = of("XDG_CONFIG_HOME").or_else(|| Some(of("HOME")?.join(".config")))?;
    Some(base.join("assay"))
}

fn path() -> Option<PathBuf> {
    Some(folder()?.join("credentials.json"))
}

fn read() -> Result<CredentialsFile, Failure> {
    let Some(path) = path() else { return Ok(CredentialsFile::default()) };
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(CredentialsFile::default());
        }
        Err(error) => {
            return Err(Failure::unreadable(format_args!("`{}`", path.display()), &error));
        }
    };
    // What is wrong with it is not told: that could show a token.
    serde_json::from_slice(&text).map_err(|_| {
        Failure::input(format_args!(
            "`{}` is not what `assay login` writes\n  hint: remove it, and sign in again",
            path.display()
        ))
    })
}

/// Changes the file as a whole: it is the old one or the new one at every moment.
fn change<T>(alter: impl FnOnce(&mut CredentialsFile) -> T) -> Result<T, Failure> {
    let mut file = read()?;
    let returned = alter(&mut file);
    let path = made_folder()?.join("credentials.json");
    write(&path, &file).map_err(|error| {
        Failure::environment(format_args!("cannot write `{}`: {error}", path.display()))
    })?;
    Ok(returned)
}

/// A new file is for its owner alone.
fn write(path: &Path, contents: &CredentialsFile) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(&serde_json::to_vec_pretty(contents)?)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Until it is dropped, no other command changes the file.
fn lock() -> Result<File, Failure> {
    let path = made_folder()?.join("credentials.lock");
    let locked = File::create(&path).and_then(|file| file.lock().map(|()| file));
    locked.map_err(|error| {
        Failure::environment(format_args!("cannot lock `{}`: {error}", path.display()))
    })
}

fn made_folder() -> Result<PathBuf, Failure> {
    let folder = folder().ok_or_else(|| {
        Failure::environment(
            "there is no place for tokens: neither `XDG_CONFIG_HOME` nor `HOME` names a folder",
        )
    })?;
    DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(|error| {
        Failure::environment(format_args!("cannot create `{}`: {error}", folder.display()))
    })?;
    Ok(folder)
}
