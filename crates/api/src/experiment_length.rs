//! `GET /v1/experiment-length`: how many visitors and days an experiment needs, before it starts.

use app::App;
use app::results::{LengthQuestion, PlannedVariations, Today, experiment_length};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::{Fault, Pointer};
use serde_json::{Value, json};
use web::{Problem, ProblemCode};

use crate::address::{FromQuery, Parameters, Query, unfit};
use crate::answers::answer;
use crate::editing::Caller;
use crate::openapi::Operation;
use crate::routes::{Routes, get};

pub(crate) fn routes() -> Routes {
    let share = |default: f64| json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": default});
    let ask = Operation::new("get_experiment_length", "Ask how long an experiment has to run")
        .needs_any_token()
        .query("baseline", &json!({"type": "number", "default": 0.05}), "The share of visitors who convert today, between 0 and 1; with `deviation` the mean of a metric.")
        .query("deviation", &json!({"type": "number", "exclusiveMinimum": 0}), "The standard deviation of a mean between visitors, as results have it.")
        .query(
            "minimum_effect",
            &json!({"type": "number", "default": 0.1}),
            "The smallest effect worth finding, relative to the baseline: 0.05 is 5 % more, −0.05 5 % less.",
        )
        .query("visitors_per_day", &json!({"type": "integer", "minimum": 1, "maximum": 1_000_000_000}), "The visitors of the campaign per day; the answer then has days, too.")
        .query("variations", &json!({"type": "integer", "minimum": 2, "maximum": 100, "default": 2}), "All variations, with the control.")
        .query("weights", &json!({"type": "string", "example": "80/10/10"}), "In place of `variations`, if their weights differ: each weight, the control's first.")
        .query("power", &share(0.8), "The probability to find the effect, if it is there.")
        .query("confidence", &share(0.95), "How sure intervals are.")
        .answers_as(200, "application/json", &length())
        .may_be(&[422]);
    Routes::under("Results").at("/v1/experiment-length", [get(show, ask)])
}

async fn show(
    State(app): State<App>,
    caller: Caller,
    Parameters(LengthQuery(question)): Parameters<LengthQuery>,
) -> Result<Response, Problem> {
    caller.actor_of_any_scope(&app).await?;
    let length = experiment_length(&question).map_err(|_| {
        let message = "the query parameters `baseline` and `minimum_effect` do not fit together: no number of visitors answers this";
        let fault = Fault::error("impossible", Pointer::root(), message)
            .expected("a share that stays between 0 and 1 with the effect, or a mean other than zero, and an effect other than zero");
        Problem::new(ProblemCode::Invalid, message).with_faults(&[fault])
    })?;
    Ok(answer(StatusCode::OK, length))
}

struct LengthQuery(LengthQuestion);

impl FromQuery for LengthQuery {
    fn read(query: &Query) -> Result<Self, Problem> {
        let default = LengthQuestion::default();
        let visitors = query.number("visitors_per_day", 1..=1_000_000_000)?;
        Ok(Self(LengthQuestion {
            today: today(query)?.unwrap_or(default.today),
            minimum_effect: query.decimal("minimum_effect")?.unwrap_or(default.minimum_effect),
            visitors_per_day: visitors.map(f64::from),
            variations: variations(query)?.unwrap_or(default.variations),
            power: query.share("power")?.unwrap_or(default.power),
            confidence: query.share("confidence")?.unwrap_or(default.confidence),
        }))
    }
}

fn today(query: &Query) -> Result<Option<Today>, Problem> {
    let Some(deviation) = query.decimal("deviation")? else {
        return Ok(query.share("baseline")?.map(Today::Share));
    };
    if deviation <= 0.0 {
        return Err(unfit("deviation", "a number above 0"));
    }
    let mean = query.decimal("baseline")?;
    let mean = mean.ok_or_else(|| unfit("baseline", "the mean that has the `deviation`"))?;
    Ok(Some(Today::Mean { mean, deviation }))
}

fn variations(query: &Query) -> Result<Option<PlannedVariations>, Problem> {
    let count = query.number("variations", 2..=100)?;
    let Some(weights) = query.text("weights") else {
        let count = count.and_then(|number| u16::try_from(number).ok());
        return Ok(count.map(PlannedVariations::even));
    };
    if count.is_some() {
        return Err(unfit("variations", "nothing, because `weights` tells it"));
    }
    let variations = PlannedVariations::of_weights(weights);
    let expected = "2 to 100 numbers above 0, such as `80/10/10`";
    variations.map(Some).ok_or_else(|| unfit("weights", expected))
}

fn length() -> Value {
    let method = json!({
        "type": "object", "required": ["visitors", "days"],
        "properties": {
            "visitors": {"type": "integer", "minimum": 0, "description": "Of all variations together."},
            "days": {"type": ["integer", "null"], "description": "Until they came, if `visitors_per_day` is known."},
        },
    });
    json!({
        "type": "object", "description": "How long an experiment has to run, by each method.",
        "required": ["always_valid", "hybrid", "fixed_horizon"],
        "properties": {"always_valid": method, "hybrid": method, "fixed_horizon": method},
    })
}
