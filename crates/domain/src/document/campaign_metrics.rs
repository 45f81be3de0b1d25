//! Decodes what a campaign is measured by: `{primary: [buys], secondary: [revenue], guardrails: [{metric: errors, margin: 2%}]}`.

use std::collections::HashMap;

use super::fields::{Fields, list};
use super::names::reference;
use super::reader::{At, Decoded, Reader};
use super::scalars::share;
use crate::limits::{MAX_CAMPAIGN_METRICS, MAX_MARGIN};
use crate::{BasisPoints, CampaignMetrics, Guardrail, MetricId};

/// The role of each metric, as messages call it.
type Roles = HashMap<MetricId, &'static str>;

/// Decodes the metrics of a campaign; each has one role.
pub(super) fn campaign_metrics(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<CampaignMetrics> {
    let mut roles = Roles::new();
    let mut fields = Fields::of(reader, at)?;
    let primary = fields.or("primary", Vec::new(), |reader, at| {
        list(reader, at, MAX_CAMPAIGN_METRICS, |reader, at| {
            let metric = metric(reader, at, &mut roles, "a primary metric")?;
            check_sequential(reader, at, metric)?;
            Ok(metric)
        })
    });
    let secondary = fields.or("secondary", Vec::new(), |reader, at| {
        list(reader, at, MAX_CAMPAIGN_METRICS, |reader, at| {
            metric(reader, at, &mut roles, "a secondary metric")
        })
    });
    let guardrails = fields.or("guardrails", Vec::new(), |reader, at| {
        list(reader, at, MAX_CAMPAIGN_METRICS, |reader, at| guardrail(reader, at, &mut roles))
    });
    fields.finish();
    Ok(CampaignMetrics { primary: primary?, secondary: secondary?, guardrails: guardrails? })
}

fn metric(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    roles: &mut Roles,
    role: &'static str,
) -> Decoded<MetricId> {
    let metric = reference(reader, at, "metric", |reader| &reader.metrics)?;
    match roles.insert(metric, role) {
        None => Ok(metric),
        Some(other) => {
            reader.refuse(at, at.error("repeated", format!("the metric is {other} already")))
        }
    }
}

/// Intervals of quantiles hold for one look at a fixed end; verdicts are given at every look.
fn check_sequential(reader: &mut Reader<'_>, at: &At<'_>, metric: MetricId) -> Decoded<()> {
    if !reader.quantiles.contains(&metric) {
        return Ok(());
    }
    let message = "a quantile cannot decide: its interval holds for one look at the end only";
    let fault = at.error("quantile_decides", message);
    reader.refuse(at, fault.hint("name it under `secondary`"))
}

fn guardrail(reader: &mut Reader<'_>, at: &At<'_>, roles: &mut Roles) -> Decoded<Guardrail> {
    let mut fields = Fields::of(reader, at)?;
    let metric = fields.required("metric", |reader, at| {
        let metric = metric(reader, at, roles, "a guardrail")?;
        check_sequential(reader, at, metric)?;
        Ok(metric)
    });
    let margin = fields.required("margin", margin);
    fields.finish();
    Ok(Guardrail { metric: metric?, margin: margin? })
}

fn margin(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<BasisPoints> {
    let margin = share(reader, at)?;
    if (1..=MAX_MARGIN).contains(&margin.get()) {
        return Ok(margin);
    }
    let message = match margin {
        BasisPoints::ZERO => "no experiment can show that nothing at all is lost",
        _ => "a metric that may lose this much is not guarded",
    };
    let fault = at.error("bad_margin", message);
    reader.refuse(at, fault.expected(format!("more than 0%, and {}% at most", MAX_MARGIN / 100)))
}
