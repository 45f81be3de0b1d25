//! Serves HTTP: everything the edges offer on one listener, until the process is told to stop.

use std::net::SocketAddr;
use std::time::Duration;

use app::App;
use axum::Router;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::failure::Failure;

/// How long open requests may take to finish after the process was told to stop.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(10);

/// Takes the address, or says why it cannot be had.
pub(crate) async fn bind(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let is_taken = error.kind() == std::io::ErrorKind::AddrInUse;
        let hint = if is_taken {
            "\n  hint: another program listens there; --listen takes another address"
        } else {
            ""
        };
        Failure::environment(format_args!("cannot listen on {address}: {error}{hint}"))
    })
}

/// What both edges answer.
pub(crate) fn router(app: &App) -> Router {
    Router::new().merge(api::router(app.clone())).merge(console::router(app.clone()))
}

/// Answers requests until SIGINT or SIGTERM.
pub(crate) async fn serve(listener: TcpListener, router: Router) -> Result<(), Failure> {
    let stop = CancellationToken::new();
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let server =
        axum::serve(listener, service).with_graceful_shutdown(stop.clone().cancelled_owned());
    let server = tokio::spawn(server.into_future());
    told_to_stop().await?;
    stop.cancel();
    // Whoever is still connected after the grace is cut off.
    let _finished = tokio::time::timeout(SHUTDOWN_GRACE, server).await;
    Ok(())
}

async fn told_to_stop() -> Result<(), Failure> {
    let mut terminate = signal(SignalKind::terminate()).map_err(Failure::environment)?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted.map_err(Failure::environment),
        _ = terminate.recv() => Ok(()),
    }
}
