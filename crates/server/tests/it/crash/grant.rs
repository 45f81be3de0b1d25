//! What a client knows of one authorization: only what it was told. After a crash it finds just that, and where an answer did not
//! come, either all of what it asked for or nothing.

use std::sync::Arc;

use axum::http::Request;

use super::client::{Caller, exchange, refresh, revoke, use_of};
use super::dice::Dice;
use crate::site::{Answer, Application};

/// One authorization, with everything that was ever given for it.
pub(super) struct Grant {
    application: Arc<Application>,
    code: String,
    standing: Standing,
    access_tokens: Vec<AccessToken>,
    /// The newest is the last; a client that keeps its refresh token has one.
    refresh_tokens: Vec<String>,
    /// What was asked last and not answered.
    doubt: Option<Act>,
}

/// How far it has come, as its client was told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Standing {
    CodeIsGood,
    TokensAreGood,
    Ended,
}

struct AccessToken {
    token: String,
    is_revoked: bool,
}

/// What a client may do. A number says with which access token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Act {
    Exchange,
    /// The code once more, which is the sign of a thief and ends all.
    ExchangeAgain,
    Refresh,
    /// A refresh token whose successor's successor was told, which is the same sign.
    RefreshAgain,
    Use(usize),
    RevokeAccessToken(usize),
    RevokeRefreshToken,
}

impl Grant {
    pub(super) fn new(application: Arc<Application>, code: String) -> Self {
        Self {
            application,
            code,
            standing: Standing::CodeIsGood,
            access_tokens: Vec::new(),
            refresh_tokens: Vec::new(),
            doubt: None,
        }
    }

    pub(super) fn standing(&self) -> Standing {
        self.standing
    }

    pub(super) fn is_in_doubt(&self) -> bool {
        self.doubt.is_some()
    }

    /// Its member or who runs the server has ended it.
    pub(super) fn was_ended(&mut self) {
        self.standing = Standing::Ended;
    }

    /// Does something that makes sense, most often what clients do most.
    pub(super) async fn act(&mut self, caller: &Caller, dice: &mut Dice) {
        let token = dice.pick(0..self.access_tokens.len());
        let act = match (self.standing, dice.below(20), token) {
            (Standing::CodeIsGood, _, _) => Act::Exchange,
            (_, 0, _) => Act::ExchangeAgain,
            (_, 1, _) if !self.refresh_tokens.is_empty() => Act::RevokeRefreshToken,
            (_, 2, _) if self.refresh_tokens.len() > 2 => Act::RefreshAgain,
            (_, 3..=4, Some(token)) => Act::RevokeAccessToken(token),
            (_, 5..=12, _) if !self.refresh_tokens.is_empty() => Act::Refresh,
            (_, _, Some(token)) => Act::Use(token),
            (_, _, None) => Act::ExchangeAgain,
        };
        self.try_to(act, caller).await;
    }

    async fn try_to(&mut self, act: Act, caller: &Caller) {
        match caller.ask(self.request(act)).await {
            Some(answer) => self.hear(act, &answer),
            None => self.doubt = Some(act),
        }
    }

    /// The same where an answer must come.
    async fn must(&mut self, act: Act, caller: &Caller) {
        let answer = self.answer(act, caller).await;
        self.hear(act, &answer);
    }

    async fn answer(&self, act: Act, caller: &Caller) -> Answer {
        let answer = caller.ask(self.request(act)).await;
        answer.unwrap_or_else(|| panic!("{act:?} has no answer"))
    }

    fn request(&self, act: Act) -> Request<String> {
        let application = &self.application;
        let newest = || self.refresh_tokens.last().unwrap();
        match act {
            Act::Exchange | Act::ExchangeAgain => exchange(application, &self.code),
            Act::Refresh => refresh(application, newest()),
            Act::RefreshAgain => refresh(application, &self.refresh_tokens[0]),
            Act::Use(place) => use_of(&self.access_tokens[place].token),
            Act::RevokeAccessToken(place) => revoke(application, &self.access_tokens[place].token),
            Act::RevokeRefreshToken => revoke(application, newest()),
        }
    }

    /// Compares an answer with what the client knew, and keeps what it tells.
    fn hear(&mut self, act: Act, answer: &Answer) {
        assert_eq!(answer.status.as_u16(), self.expected(act), "{act:?}: {answer:?}");
        match act {
            Act::Exchange | Act::Refresh => self.keep_tokens(answer),
            Act::ExchangeAgain | Act::RefreshAgain | Act::RevokeRefreshToken => self.was_ended(),
            Act::RevokeAccessToken(place) => self.access_tokens[place].is_revoked = true,
            Act::Use(_) => {}
        }
    }

    fn expected(&self, act: Act) -> u16 {
        let is_good = self.standing == Standing::TokensAreGood;
        match act {
            Act::Refresh if is_good => 200,
            Act::Refresh | Act::ExchangeAgain | Act::RefreshAgain => 400,
            Act::Use(place) if is_good && !self.access_tokens[place].is_revoked => 200,
            Act::Use(_) => 401,
            Act::Exchange | Act::RevokeAccessToken(_) | Act::RevokeRefreshToken => 200,
        }
    }

    fn keep_tokens(&mut self, answer: &Answer) {
        let body = answer.json();
        if answer.status != 200 {
            assert_eq!(body["error"], "invalid_grant");
            return;
        }
        self.standing = Standing::TokensAreGood;
        let token = body["access_token"].as_str().unwrap().to_owned();
        self.access_tokens.push(AccessToken { token, is_revoked: false });
        self.refresh_tokens.extend(body["refresh_token"].as_str().map(str::to_owned));
    }

    /// What the unanswered act came to: it was done, or it was not.
    pub(super) async fn settle(&mut self, caller: &Caller) {
        match self.doubt.take() {
            None | Some(Act::Use(_)) => {}
            Some(Act::Exchange) => {
                let answer = self.answer(Act::Exchange, caller).await;
                self.was_ended();
                self.keep_tokens(&answer);
            }
            // Whether it was done or not: a lost answer signs no client out.
            Some(Act::Refresh) => self.must(Act::Refresh, caller).await,
            Some(Act::RevokeAccessToken(place)) => {
                let answer = self.answer(Act::Use(place), caller).await;
                self.access_tokens[place].is_revoked = answer.status == 401;
            }
            Some(Act::ExchangeAgain | Act::RefreshAgain | Act::RevokeRefreshToken) => {
                if self.refresh_tokens.is_empty() {
                    return;
                }
                let answer = self.answer(Act::Refresh, caller).await;
                if answer.status != 200 {
                    self.was_ended();
                }
                self.keep_tokens(&answer);
            }
        }
    }

    /// Tries all that the client was told, good or ended.
    pub(super) async fn compare(&mut self, caller: &Caller) {
        if self.standing == Standing::CodeIsGood {
            self.must(Act::Exchange, caller).await;
        }
        for place in 0..self.access_tokens.len() {
            self.must(Act::Use(place), caller).await;
        }
        if !self.refresh_tokens.is_empty() {
            self.must(Act::Refresh, caller).await;
        }
        if self.standing == Standing::Ended {
            self.must(Act::ExchangeAgain, caller).await;
        }
    }
}
