//! One data directory or database, and the servers that are killed on it one after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::task::JoinSet;

use super::client::{Caller, is_ready};
use super::cluster::Cluster;
use super::dice::Dice;
use super::grant::{Grant, Standing};
use super::work::{Party, settle_and_compare, until_no_answer};
use crate::browser::Browser;
use crate::command_line::binary::{Folder, Server};
use crate::site::{Application, Member};

/// Enough that commits have several acts in them.
const WORKERS: usize = 16;

/// Within this, the server may be killed at any moment.
const LONGEST_WORK: Duration = Duration::from_millis(300);

/// A database that was crashed is back before that.
const LONGEST_RECOVERY: Duration = Duration::from_secs(20);

/// The kinds of databases.
#[derive(Clone, Copy)]
pub(super) enum Database {
    File,
    Postgres,
}

impl Database {
    /// How to name a new one to the binary.
    pub(super) fn fresh(self, name: &str) -> [String; 2] {
        match self {
            Self::File => ["--data".to_owned(), crate::door::DATA.to_owned()],
            Self::Postgres => ["--database".to_owned(), crate::postgres::database(name)],
        }
    }
}

pub(super) struct Life {
    place: [String; 2],
    folder: Folder,
    server: Option<Server>,
    party: Party,
    /// One part for each worker.
    grants: Vec<Vec<Grant>>,
    dice: Dice,
}

impl Life {
    /// A first server, with a member who has signed in and both kinds of applications.
    pub(super) async fn begin(seed: u64, place: [String; 2]) -> Self {
        let folder = Folder::new();
        let server = serve(&folder, &place);
        let applications = [demo_application(&server), public_application(&folder, &place)];
        let caller = Caller::new(&server.url(""));
        let browser = Browser::new(&caller);
        browser.sign_in_at_home(&demo_member(&server)).await;
        let party = Party {
            applications: applications.map(Arc::new),
            cookies: browser.cookies(),
            is_enough: Arc::default(),
        };
        let grants = (0..WORKERS).map(|_| Vec::new()).collect();
        Self { place, folder, server: Some(server), party, grants, dice: Dice::new(seed) }
    }

    /// Works on the running server, kills it in the middle of that, and starts another.
    pub(super) async fn work_and_die(&mut self) {
        self.work_until(|life| life.server = None).await;
        self.server = Some(serve(&self.folder, &self.place));
    }

    /// The same, but the database crashes and recovers, and the server has to get along with that.
    pub(super) async fn work_and_lose(&mut self, cluster: &Cluster) {
        self.work_until(|_| cluster.crash()).await;
        let (caller, begun) = (self.caller(), Instant::now());
        while caller.ask(is_ready()).await.is_none() {
            assert!(begun.elapsed() < LONGEST_RECOVERY, "the server does not recover");
        }
    }

    /// Works until something happens at a random moment.
    async fn work_until(&mut self, happens: impl FnOnce(&mut Self)) {
        let mut working = JoinSet::new();
        let is_enough = Arc::new(AtomicBool::new(false));
        for grants in std::mem::take(&mut self.grants) {
            let party = Party { is_enough: Arc::clone(&is_enough), ..self.party.clone() };
            working.spawn(until_no_answer(self.caller(), party, grants, self.dice.fork()));
        }
        let microseconds = u64::try_from(LONGEST_WORK.as_micros()).unwrap();
        let moment = Duration::from_micros(self.dice.below(microseconds));
        let given_up = tokio::time::timeout(moment, working.join_next()).await;
        assert!(given_up.is_err(), "a request has no answer, though the server lives");
        happens(self);
        is_enough.store(true, Ordering::Relaxed);
        self.grants = working.join_all().await;
    }

    /// Finds everything as it was told.
    pub(super) async fn compare(&mut self) {
        let mut comparing = JoinSet::new();
        for grants in std::mem::take(&mut self.grants) {
            comparing.spawn(settle_and_compare(self.caller(), grants));
        }
        self.grants = comparing.join_all().await;
    }

    /// Counts what is there, ends it, and sees that it stays so after another kill. Tells what there was.
    pub(super) async fn end(mut self) -> String {
        let (all, living) =
            (self.count(|_| true), self.count(|standing| standing != Standing::Ended));
        let exchanged = self.assay(&["audit", "--limit", "1000000"]);
        let exchanged = exchanged.matches("\"event\":\"code.exchanged\"").count();
        assert_eq!(exchanged, all, "each code was exchanged once");
        let ended: Value = serde_json::from_str(&self.assay(&["tokens", "end-all"])).unwrap();
        assert_eq!(ended["families"], living, "every living family was answered");

        self.server = None;
        self.server = Some(serve(&self.folder, &self.place));
        self.grants.iter_mut().flatten().for_each(Grant::was_ended);
        self.compare().await;
        format!("{all} authorizations, {living} of them good at the end")
    }

    fn count(&self, is_counted: impl Fn(Standing) -> bool) -> usize {
        self.grants.iter().flatten().filter(|grant| is_counted(grant.standing())).count()
    }

    fn caller(&self) -> Caller {
        Caller::new(&self.server.as_ref().unwrap().url(""))
    }

    /// What a command prints as JSON, on the same data.
    fn assay(&self, arguments: &[&str]) -> String {
        let place = self.place.each_ref().map(String::as_str);
        let output = self.folder.assay(&[arguments, &place, &["--json"]].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

fn serve(folder: &Folder, [flag, place]: &[String; 2]) -> Server {
    folder.serve_logging("warn", &["--demo", flag, place])
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub(crate) fn demo_member(server: &Server) -> Member {
    let member = &server.ready["member"];
    Member { email: text(&member["email"]), password: text(&member["password"]) }
}

pub(crate) fn demo_application(server: &Server) -> Application {
    application(&server.ready["application"], &text(&server.ready["application"]["redirect_uri"]))
}

pub(crate) fn public_application(folder: &Folder, [flag, place]: &[String; 2]) -> Application {
    let redirect_uri = "http://127.0.0.1/callback";
    let flags = ["application", "add", "Phone", "--public", "--redirect-uri", redirect_uri];
    let output = folder.assay(&[&flags[..], &["--json", flag, place]].concat());
    application(&serde_json::from_slice(&output.stdout).unwrap(), redirect_uri)
}

fn application(added: &Value, redirect_uri: &str) -> Application {
    Application {
        client_id: text(&added["client_id"]),
        client_secret: text(&added["client_secret"]),
        redirect_uri: redirect_uri.to_owned(),
    }
}
