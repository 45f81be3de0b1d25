//! The size of a snippet, and what each feature and experiment adds to it. A state of a project is measured once: that means compiling it
//! without each of its parts in turn, which takes seconds for a large project.

use std::sync::Arc;
use std::time::Duration;

use domain::{Project, ProjectId};
use snippet::{CompileError, Report};
use thiserror::Error;
use tokio::sync::OnceCell;
use tokio::time::timeout;

use crate::bounded_cache::BoundedCache;
use crate::computation::compute;
use crate::drafts::{ReadError, readable_draft};
use crate::heavy_work::Overloaded;
use crate::publishing::{RevisionDocument, read_revision};
use crate::revisions::Side;
use crate::roles::Actor;
use crate::{App, Work};

/// So long does a page wait for a measurement before it says that it is under way.
const PATIENCE_OF_A_PAGE: Duration = Duration::from_millis(20);

/// The same for a client over REST: less than the edge's time for an answer.
const PATIENCE_OF_A_CLIENT: Duration = Duration::from_secs(20);

/// A report names at most as many experiments as are weighed: a few kilobytes.
const BYTES_AT_MOST: usize = 4 * 1024 * 1024;
const REPORT_BYTES: usize = 8 * 1024;

/// Why a snippet has no size.
#[derive(Debug, Error)]
pub enum SizeError {
    /// The state could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It does not compile; says why.
    #[error("{0}")]
    Compile(String),
    /// Too many states wait to be measured.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
    /// It is being measured still.
    #[error("the snippet is being measured, which takes long for this project; ask again")]
    UnderWay,
}

/// A measurement, or why the state does not compile.
type Measured<T> = Result<T, String>;

/// A state of a project that never changes: a revision by its number, a draft by its tag.
type Key = (ProjectId, String);

/// The measurements of states, done and under way.
#[derive(Debug)]
pub(crate) struct SizeCache(BoundedCache<Key, Arc<Measurements>>);

/// The measurements of a state.
#[derive(Debug, Default)]
struct Measurements {
    /// The bytes that most browsers receive.
    brotli: OnceCell<Measured<usize>>,
    report: OnceCell<Measured<Arc<Report>>>,
}

impl Default for SizeCache {
    fn default() -> Self {
        Self(BoundedCache::of_weight(BYTES_AT_MOST))
    }
}

impl SizeCache {
    fn of(&self, key: Key) -> Arc<Measurements> {
        self.0.find(&key).unwrap_or_else(|| {
            let measurements = Arc::new(Measurements::default());
            self.0.put(key, Arc::clone(&measurements), REPORT_BYTES);
            measurements
        })
    }
}

/// A state to measure, and the place of its measurements.
struct Wanted {
    project: Arc<Project>,
    known: Arc<Measurements>,
}

/// A measurement for a page, which does not wait for it.
#[derive(Debug, Clone)]
pub enum ForPage<T> {
    /// Nothing is live.
    Nothing,
    /// It is under way.
    Soon,
    /// It is known.
    Known(T),
    /// The state does not compile; says why.
    Refused(String),
}

/// The size of the snippet that a state of project `id` makes; measures it if nothing has yet. A measurement goes on when its client stops
/// waiting, so that a client that asks again has it sooner.
///
/// # Errors
/// See [`SizeError`].
pub async fn snippet_size(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    side: Side,
) -> Result<Arc<Report>, SizeError> {
    let wanted = find(app, actor, id, side).await?.ok_or(ReadError::NotPublished)?;
    let measurement: Measurement<_> = (|known| &known.report, report);
    let measured = measured(app, &wanted, measurement, PATIENCE_OF_A_CLIENT).await?;
    measured.ok_or(SizeError::UnderWay)?.map_err(SizeError::Compile)
}

/// The same for a page: what is not known yet is measured in the background.
///
/// # Errors
/// See [`ReadError`].
pub async fn snippet_size_for_page(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    side: Side,
) -> Result<ForPage<Arc<Report>>, ReadError> {
    let wanted = find(app, actor, id, side).await?;
    Ok(for_page(app, wanted, |known| &known.report, report).await)
}

/// The bytes that most browsers receive, for a page. That is compiled once only.
///
/// # Errors
/// See [`ReadError`].
pub async fn snippet_bytes_for_page(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    side: Side,
) -> Result<ForPage<usize>, ReadError> {
    let wanted = find(app, actor, id, side).await?;
    Ok(for_page(app, wanted, |known| &known.brotli, brotli).await)
}

async fn for_page<T: Clone + Send + Sync + 'static>(
    app: &App,
    wanted: Option<Wanted>,
    place: fn(&Measurements) -> &OnceCell<Measured<T>>,
    work: fn(&Project) -> Result<T, CompileError>,
) -> ForPage<T> {
    let Some(wanted) = wanted else { return ForPage::Nothing };
    match measured(app, &wanted, (place, work), PATIENCE_OF_A_PAGE).await {
        // With too much to do already, the next look at the page tries again.
        Ok(None) | Err(Overloaded) => ForPage::Soon,
        Ok(Some(Ok(measurement))) => ForPage::Known(measurement),
        Ok(Some(Err(why))) => ForPage::Refused(why),
    }
}

/// Where a measurement is kept, and how it is made.
type Measurement<T> =
    (fn(&Measurements) -> &OnceCell<Measured<T>>, fn(&Project) -> Result<T, CompileError>);

/// The measurement of a state, if it is there in time. It goes on in the background, once for all who wait for it.
async fn measured<T: Clone + Send + Sync + 'static>(
    app: &App,
    Wanted { project, known }: &Wanted,
    (place, work): Measurement<T>,
    patience: Duration,
) -> Result<Option<Measured<T>>, Overloaded> {
    if !place(known).initialized() {
        let (app, project, known) = (app.clone(), Arc::clone(project), Arc::clone(known));
        let measuring = tokio::spawn(async move {
            let in_turn = async || {
                let _turn = app.turn(Work::Measurement).await?;
                Ok(measure(project, work).await)
            };
            place(&known).get_or_try_init(in_turn).await.map(|_| ())
        });
        if let Ok(Ok(measured)) = timeout(patience, measuring).await {
            measured?;
        }
    }
    Ok(place(known).get().cloned())
}

async fn find(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    side: Side,
) -> Result<Option<Wanted>, ReadError> {
    let draft = readable_draft(app, actor, id).await?;
    let live = draft.head.live_revision;
    let number = match side {
        Side::Revision(number) => Some(number),
        Side::Live | Side::Draft => live,
    };
    let revision = match number {
        Some(number) => Some((number, read_revision(app, id, number).await?)),
        None => None,
    };
    if side == Side::Draft {
        // Mostly the draft is what is live, and that is measured already.
        let is_live = |revision: &Arc<RevisionDocument>| revision.project == draft.project;
        let number = revision
            .and_then(|(number, revision)| revision.filter(|one| is_live(one)).map(|_| number));
        let state = number.map_or_else(|| draft.tag.clone(), of_revision);
        let known = app.caches().sizes.of((id, state));
        return Ok(Some(Wanted { project: Arc::clone(&draft.project), known }));
    }
    let Some((number, revision)) = revision else { return Ok(None) };
    let revision = revision.ok_or(ReadError::NotFound)?;
    let known = app.caches().sizes.of((id, of_revision(number)));
    Ok(Some(Wanted { project: Arc::clone(&revision.project), known }))
}

fn of_revision(number: u32) -> String {
    format!("revision {number}")
}

async fn measure<T: Send + 'static>(
    project: Arc<Project>,
    work: fn(&Project) -> Result<T, CompileError>,
) -> Measured<T> {
    match compute("weigh_snippet", move || work(&project)).await {
        Ok(measured) => measured.map_err(|error| error.to_string()),
        Err(panic) => Err(panic.to_string()),
    }
}

fn report(project: &Project) -> Result<Arc<Report>, CompileError> {
    let snippet = snippet::compile(project)?;
    Ok(Arc::new(snippet::report(project, &snippet)?))
}

fn brotli(project: &Project) -> Result<usize, CompileError> {
    Ok(snippet::compile(project)?.brotli().len())
}
