//! Codes and tokens in any order, by whomever, against a few lines of plain Rust that say what should come of it.

use oauth::ClientKind;
use proptest::prelude::*;
use proptest::sample::Index;
use tokio::runtime::Runtime;

use super::pkce::{CHALLENGE, VERIFIER};
use super::token_call::{about, by_form, exchange, form_to, refresh, with, without};
use crate::browser::{Browser, authorize_path};
use crate::site::{Answer, Application, REDIRECT_URI, Site};

/// An address that the owner has registered, too.
const OTHER_URI: &str = "https://reports.example/other";

/// A step of a client. The index picks one of the pairs of tokens issued so far.
#[derive(Debug, Clone, Copy)]
enum Step {
    Exchange(Who),
    ExchangeWrongly,
    Refresh(Who, Index),
    RefreshTwiceAtOnce(Index),
    Use(Index),
    RevokeRefreshToken(Who, Index),
    RevokeAccessToken(Who, Index),
    WaitForFortySeconds,
    WaitForFourMinutes,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Who {
    Owner,
    Stranger,
}

fn step() -> impl Strategy<Value = Step> {
    let who = || prop_oneof![4 => Just(Who::Owner), 1 => Just(Who::Stranger)];
    prop_oneof![
        2 => who().prop_map(Step::Exchange),
        1 => Just(Step::ExchangeWrongly),
        6 => (who(), any::<Index>()).prop_map(|(who, pair)| Step::Refresh(who, pair)),
        2 => any::<Index>().prop_map(Step::RefreshTwiceAtOnce),
        4 => any::<Index>().prop_map(Step::Use),
        1 => (who(), any::<Index>()).prop_map(|(who, pair)| Step::RevokeRefreshToken(who, pair)),
        2 => (who(), any::<Index>()).prop_map(|(who, pair)| Step::RevokeAccessToken(who, pair)),
        1 => Just(Step::WaitForFortySeconds),
        1 => Just(Step::WaitForFourMinutes),
    ]
}

/// What the owner of a code or token gets for it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Outcome {
    Tokens,
    InvalidGrant,
}

impl Outcome {
    /// A stranger gets nothing, and changes nothing.
    fn of(who: Who, owners: impl FnOnce() -> Self) -> Self {
        if who == Who::Owner { owners() } else { Self::InvalidGrant }
    }
}

/// A refresh token and an access token that were issued together. A client that keeps its refresh token has the same in each pair.
#[derive(Clone, PartialEq)]
struct Pair {
    access: String,
    refresh: String,
    predecessor: Option<usize>,
    issued_at: i64,
    spent_at: Option<i64>,
    standing: Standing,
    is_used: bool,
    is_revoked: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Standing {
    Good,
    /// It was taken for lost.
    Replaced,
    /// Another that was asked for at once was used first.
    Gone,
}

/// When a refresh came.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Timing {
    Alone,
    /// While another with the same token was under way, which succeeded.
    Beside,
}

/// How two refreshes reached the server that were sent at once: the way there may delay either until the other one is answered.
#[derive(Debug, Clone, Copy)]
enum Arrival {
    AtOnce,
    FirstThenSecond,
    SecondThenFirst,
}

impl Arrival {
    const ALL: [Self; 3] = [Self::AtOnce, Self::FirstThenSecond, Self::SecondThenFirst];
}

/// What should be true of all that came from one code.
#[derive(Clone, PartialEq)]
struct Grant {
    kind: ClientKind,
    seconds_since_code: i64,
    is_spent: bool,
    has_ended: bool,
    pairs: Vec<Pair>,
}

impl Grant {
    fn new(kind: ClientKind) -> Self {
        Self { kind, seconds_since_code: 0, is_spent: false, has_ended: false, pairs: Vec::new() }
    }

    fn exchange(&mut self, redirect_uri: &str) -> Outcome {
        self.has_ended |= self.is_spent;
        if self.is_spent || redirect_uri != REDIRECT_URI || self.seconds_since_code >= 60 {
            return Outcome::InvalidGrant;
        }
        self.is_spent = true;
        Outcome::Tokens
    }

    fn refresh(&mut self, pair: usize, came: Timing) -> Outcome {
        if self.has_ended || self.pairs[pair].standing == Standing::Gone {
            return Outcome::InvalidGrant;
        }
        if self.kind == ClientKind::Confidential {
            return Outcome::Tokens;
        }
        let successors = self.successors(pair);
        let went_on = |other: &usize| self.pairs[*other].spent_at.is_some();
        let was_used = |other: &usize| self.pairs[*other].is_used;
        let spent_at = self.pairs[pair].spent_at;
        let is_late = spent_at.is_some_and(|at| self.seconds_since_code > at + 600);
        if self.pairs[pair].standing == Standing::Replaced
            || successors.iter().any(went_on)
            || (came == Timing::Alone && (is_late || successors.iter().any(was_used)))
        {
            self.has_ended = true;
            return Outcome::InvalidGrant;
        }
        if spent_at.is_none() {
            self.pairs[pair].spent_at = Some(self.seconds_since_code);
            let predecessor = self.pairs[pair].predecessor;
            let beside = predecessor.map(|spent| self.successors(spent)).unwrap_or_default();
            for other in beside.into_iter().filter(|other| *other != pair) {
                self.pairs[other].standing = Standing::Gone;
            }
        } else if came == Timing::Alone {
            for other in successors {
                self.pairs[other].standing = Standing::Replaced;
            }
        }
        Outcome::Tokens
    }

    /// The pairs for which the refresh token of `pair` was spent.
    fn successors(&self, pair: usize) -> Vec<usize> {
        let is_successor =
            |other: &Pair| other.predecessor == Some(pair) && other.standing != Standing::Replaced;
        (0..self.pairs.len()).filter(|other| is_successor(&self.pairs[*other])).collect()
    }

    /// The status of an answer to it.
    fn use_access_token(&mut self, pair: usize) -> u16 {
        let Pair { standing, is_revoked, issued_at, .. } = self.pairs[pair];
        let is_fresh = self.seconds_since_code < issued_at + 7_200;
        let is_there = standing != Standing::Replaced && !is_revoked;
        let opens = !self.has_ended && is_there && is_fresh;
        self.pairs[pair].is_used |= opens;
        if opens { 200 } else { 401 }
    }

    /// What these answers to two refreshes with one token make of the grant if they arrived like this; `None` if they cannot have.
    fn after_two(&self, pair: usize, answers: [&Answer; 2], arrived: Arrival) -> Option<Self> {
        let mut grant = self.clone();
        let [first, second] = answers;
        let (one, other) = match arrived {
            Arrival::AtOnce | Arrival::FirstThenSecond => (first, second),
            Arrival::SecondThenFirst => (second, first),
        };
        let expected = grant.refresh(pair, Timing::Alone);
        let is_possible = outcome(one) == expected;
        grant.keep(one, Some(pair));
        let came = match arrived {
            Arrival::AtOnce if expected == Outcome::Tokens => Timing::Beside,
            Arrival::AtOnce | Arrival::FirstThenSecond | Arrival::SecondThenFirst => Timing::Alone,
        };
        let expected = grant.refresh(pair, came);
        let is_possible = is_possible && outcome(other) == expected;
        grant.keep(other, Some(pair));
        if let (Arrival::SecondThenFirst, Outcome::Tokens) = (arrived, expected) {
            let last = grant.pairs.len() - 1;
            grant.pairs.swap(last - 1, last);
        }
        is_possible.then_some(grant)
    }

    /// Keeps the tokens that are in an answer.
    fn keep(&mut self, answer: &Answer, predecessor: Option<usize>) {
        if outcome(answer) == Outcome::InvalidGrant {
            return;
        }
        let body = answer.json();
        let kept = predecessor.map(|pair| self.pairs[pair].refresh.clone());
        self.pairs.push(Pair {
            access: body["access_token"].as_str().unwrap().to_owned(),
            refresh: body["refresh_token"].as_str().map(str::to_owned).or(kept).unwrap(),
            predecessor,
            issued_at: self.seconds_since_code,
            spent_at: None,
            standing: Standing::Good,
            is_used: false,
            is_revoked: false,
        });
    }
}

fn outcome(answer: &Answer) -> Outcome {
    match answer.json()["error"].as_str() {
        None => Outcome::Tokens,
        Some(error) => {
            assert_eq!(error, "invalid_grant");
            Outcome::InvalidGrant
        }
    }
}

/// All that may be true after the answers so far: of requests that are sent at once, the client does not learn in which order the server got them.
struct Worlds(Vec<Grant>);

impl Worlds {
    /// The pair that the index picks, which is there in each of them.
    fn pick(&self, index: Index) -> Option<usize> {
        let pairs = &self.0[0].pairs;
        (!pairs.is_empty()).then(|| index.index(pairs.len()))
    }

    fn change(&mut self, change: impl FnMut(&mut Grant)) {
        self.0.iter_mut().for_each(change);
    }

    /// Keeps those in which this was to be seen, after what it changes there.
    fn keep_if(&mut self, seen: &str, is_to_be_seen: impl FnMut(&mut Grant) -> bool) {
        self.0.retain_mut(is_to_be_seen);
        assert!(!self.0.is_empty(), "nothing that may be true explains this: {seen}");
    }

    /// Checks an answer, and keeps the tokens that are in it.
    fn compare(
        &mut self,
        answer: &Answer,
        predecessor: Option<usize>,
        mut expected: impl FnMut(&mut Grant) -> Outcome,
    ) {
        let told = outcome(answer);
        self.keep_if(&format!("{answer:?}"), |grant| {
            let is_expected = expected(grant) == told;
            grant.keep(answer, predecessor);
            is_expected
        });
    }

    /// The same of two refreshes that were sent at once.
    fn compare_two(&mut self, pair: usize, answers: [&Answer; 2]) {
        let mut after: Vec<Grant> = Vec::new();
        for grant in &self.0 {
            for arrived in Arrival::ALL {
                let possible = grant.after_two(pair, answers, arrived);
                let new = possible.filter(|possible| !after.contains(possible));
                after.extend(new);
            }
        }
        assert!(!after.is_empty(), "nothing that may be true explains these: {answers:?}");
        self.0 = after;
    }
}

/// All who take part.
struct Cast<'a> {
    site: &'a Site,
    owner: Application,
    stranger: Application,
    code: String,
}

impl Cast<'_> {
    fn played_by(&self, who: Who) -> &Application {
        if who == Who::Owner { &self.owner } else { &self.stranger }
    }

    async fn exchange(&self, who: Who, redirect_uri: &str) -> Answer {
        let pairs = exchange(self.played_by(who), &self.code);
        let pairs = with(&with(&pairs, "redirect_uri", redirect_uri), "code_verifier", VERIFIER);
        by_form(self.site, &with_secret_if_any(&pairs)).await
    }

    async fn refresh(&self, who: Who, token: &str) -> Answer {
        by_form(self.site, &with_secret_if_any(&refresh(self.played_by(who), token))).await
    }

    async fn revoke(&self, who: Who, token: &str) {
        let pairs = about(self.played_by(who), token);
        let answer = form_to(self.site, "/oauth2/revoke", &with_secret_if_any(&pairs)).await;
        assert_eq!((answer.status.as_u16(), answer.body.as_str()), (200, "{}"));
    }

    async fn take(&self, step: Step, worlds: &mut Worlds) {
        match step {
            Step::Exchange(who) => {
                let answer = self.exchange(who, REDIRECT_URI).await;
                let expected =
                    |grant: &mut Grant| Outcome::of(who, || grant.exchange(REDIRECT_URI));
                worlds.compare(&answer, None, expected);
            }
            Step::ExchangeWrongly => {
                let answer = self.exchange(Who::Owner, OTHER_URI).await;
                worlds.compare(&answer, None, |grant| grant.exchange(OTHER_URI));
            }
            Step::WaitForFortySeconds => self.wait(40, worlds),
            Step::WaitForFourMinutes => self.wait(240, worlds),
            Step::Refresh(_, index)
            | Step::RefreshTwiceAtOnce(index)
            | Step::Use(index)
            | Step::RevokeRefreshToken(_, index)
            | Step::RevokeAccessToken(_, index) => {
                let Some(pair) = worlds.pick(index) else { return };
                self.take_with(step, pair, worlds).await;
            }
        }
    }

    /// A step with a pair of tokens.
    async fn take_with(&self, step: Step, pair: usize, worlds: &mut Worlds) {
        let Pair { access, refresh, .. } = worlds.0[0].pairs[pair].clone();
        match step {
            Step::Refresh(who, _) => {
                let answer = self.refresh(who, &refresh).await;
                worlds.compare(&answer, Some(pair), |grant| {
                    Outcome::of(who, || grant.refresh(pair, Timing::Alone))
                });
            }
            Step::RefreshTwiceAtOnce(_) => {
                let owners = || self.refresh(Who::Owner, &refresh);
                let (first, second) = tokio::join!(owners(), owners());
                worlds.compare_two(pair, [&first, &second]);
            }
            Step::Use(_) => {
                let answer = self.site.get_as("/v1/projects", &access).await;
                let status = answer.status.as_u16();
                worlds.keep_if(&format!("{answer:?}"), |grant| {
                    status == grant.use_access_token(pair)
                });
            }
            Step::RevokeRefreshToken(who, _) => {
                self.revoke(who, &refresh).await;
                worlds.change(|grant| {
                    grant.has_ended |=
                        who == Who::Owner && grant.pairs[pair].standing != Standing::Gone;
                });
            }
            Step::RevokeAccessToken(who, _) => {
                self.revoke(who, &access).await;
                worlds.change(|grant| grant.pairs[pair].is_revoked |= who == Who::Owner);
            }
            Step::Exchange(_)
            | Step::ExchangeWrongly
            | Step::WaitForFortySeconds
            | Step::WaitForFourMinutes => unreachable!("these take no pair"),
        }
    }

    fn wait(&self, seconds: i64, worlds: &mut Worlds) {
        self.site.advance_seconds(seconds);
        worlds.change(|grant| grant.seconds_since_code += seconds);
    }
}

fn with_secret_if_any<'a>(pairs: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let is_public = pairs.contains(&("client_secret", ""));
    if is_public { without(pairs, "client_secret") } else { pairs.to_vec() }
}

/// Plays many orders with clients of one kind.
fn play(kind: ClientKind) {
    let runtime = Runtime::new().unwrap();
    let site = Site::start();
    let browser = Browser::new(&site);
    let challenge = [("code_challenge", CHALLENGE), ("code_challenge_method", "S256")];
    let (owner, stranger) = runtime.block_on(async {
        let member = site.member().await;
        let owner = site.register("Owner", kind).await;
        browser.fetch_code(&member, &owner, &challenge).await;
        (owner, site.register("Stranger", kind).await)
    });
    let config = ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() };
    proptest!(config, |(is_exchanged in prop::bool::weighted(0.8), steps in prop::collection::vec(step(), 1..32))| {
        runtime.block_on(async {
            let asked = browser.open(&authorize_path(&owner, &challenge)).await;
            let code = asked.returned("code").unwrap();
            let (owner, stranger) = (owner.clone(), stranger.clone());
            let cast = Cast { site: &site, owner, stranger, code };
            let mut worlds = Worlds(vec![Grant::new(kind)]);
            if is_exchanged {
                cast.take(Step::Exchange(Who::Owner), &mut worlds).await;
            }
            for step in steps {
                cast.take(step, &mut worlds).await;
            }
        });
    });
}

#[test]
fn whatever_happens_to_the_tokens_of_a_client_with_a_secret_is_as_the_model_says() {
    play(ClientKind::Confidential);
}

#[test]
fn whatever_happens_to_the_tokens_of_a_client_without_one_is_as_the_model_says() {
    play(ClientKind::Public);
}
