//! Serves HTTP: accepts connections up to the connection limit until the process gets a signal to stop. One connection is in
//! `serving/connection.rs`, its limits in `serving/limits.rs`.

mod activity;
mod certificate;
mod connection;
mod connection_limit;
mod limits;
mod signals;
mod tls;

use std::net::SocketAddr;
use std::sync::Arc;

use app::App;
use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use web::Ingress;

pub(crate) use self::certificate::{CertificateFiles, doubts, valid_until};
use self::connection::Connection;
use self::connection_limit::{ConnectionLimit, PeerKind};
pub(crate) use self::limits::{
    CONNECTIONS_PER_ADDRESS, IDLE_SECONDS, Limits, MORE_FILES, few_files, files_allowed,
};
use self::signals::SignalAction;
pub(crate) use self::signals::{Signals, hang_up, outlive_hang_ups};
pub(crate) use self::tls::Tls;
use crate::failure::Failure;

/// Binds the address that this flag names, or says why that fails.
pub(crate) async fn bind(address: SocketAddr, flag: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let is_taken = error.kind() == std::io::ErrorKind::AddrInUse;
        let hint = if is_taken {
            format!("\n  hint: another program listens there; choose another address with {flag}")
        } else {
            String::new()
        };
        Failure::environment(format_args!("cannot listen on {address}: {error}{hint}"))
    })
}

/// The routes of both edges.
pub(crate) fn router(app: &App) -> Router {
    Router::new()
        .merge(api::router(app.clone()))
        .merge(console::router(app.clone(), api::openapi()))
}

/// What visitors' pages ask for.
pub(crate) fn visitors_router(app: &App) -> Router {
    api::visitors_router(app.clone())
}

/// The listening socket and the service on it.
pub(crate) struct Server {
    pub(crate) listener: TcpListener,
    pub(crate) tls: Option<Arc<Tls>>,
    pub(crate) ingress: Ingress,
    pub(crate) routes: Router,
    pub(crate) limits: Limits,
}

impl Server {
    /// Answers requests until the signal to stop, and for a while after it if others take over; then finishes running requests within a
    /// grace period.
    pub(crate) async fn serve(self, mut signals: Signals) {
        let (end, connections) = (End::default(), TaskTracker::new());
        let (tls, limits) = (self.tls.clone(), self.limits);
        let accepting = tokio::spawn(self.accept(end.clone(), connections.clone()));
        reload_until_stop(&mut signals, tls.as_deref()).await;
        end.drain.cancel();
        let draining = reload_until_stop(&mut signals, tls.as_deref());
        let _over = tokio::time::timeout(limits.drain, draining).await;
        end.stop.cancel();
        let _ended = accepting.await;
        connections.close();
        // After the grace period, remaining connections are closed.
        let _all_ended = tokio::time::timeout(limits.grace, connections.wait()).await;
    }

    /// Answers requests as long as the process lives.
    pub(crate) async fn serve_on(self) {
        self.accept(End::default(), TaskTracker::new()).await;
    }

    async fn accept(self, End { drain, stop }: End, connections: TaskTracker) {
        let Self { listener, tls, ingress, routes, limits } = self;
        let ingress = Arc::new(ingress);
        let limit = ConnectionLimit::for_connections(limits.connections, limits.per_address);
        let serve = |stream, peer, permit| {
            let (tls, ingress, routes) = (tls.clone(), ingress.clone(), routes.clone());
            let drain = drain.clone();
            let connection = Connection { peer, permit, ingress, routes, limits, drain };
            connections.spawn(connection.serve(stream, tls))
        };
        let accepting = async {
            loop {
                let free = limit.free_place().await;
                let (stream, peer) = accept(&listener, &limits).await;
                let permit = limit.take_permit(free, peer_kind(&ingress, peer), &stop);
                let _refused = permit.map(|permit| serve(stream, peer, permit));
            }
        };
        stop.run_until_cancelled(accepting).await;
    }
}

/// The end of a server.
#[derive(Clone, Default)]
struct End {
    /// Others are to send their requests elsewhere.
    drain: CancellationToken,
    /// Nothing is accepted any more.
    stop: CancellationToken,
}

async fn reload_until_stop(signals: &mut Signals, tls: Option<&Tls>) {
    while let SignalAction::Reload = signals.next().await {
        reload(tls);
    }
}

fn peer_kind(ingress: &Ingress, peer: SocketAddr) -> PeerKind {
    if ingress.is_proxy(peer.ip().to_canonical()) {
        PeerKind::Proxy
    } else {
        PeerKind::At(peer.ip())
    }
}

/// The next connection. A client that left before it was accepted is no error; other errors are the machine's, and pass.
async fn accept(listener: &TcpListener, limits: &Limits) -> (TcpStream, SocketAddr) {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error)
                if [ConnectionAborted, ConnectionRefused, ConnectionReset]
                    .contains(&error.kind()) => {}
            Err(error) => {
                tracing::error!(%error, "cannot accept connections");
                tokio::time::sleep(limits.pause).await;
            }
        }
    }
}

fn reload(tls: Option<&Tls>) {
    match tls.map(Tls::reload) {
        Some(Ok(())) => tracing::info!("new connections get the reloaded certificate"),
        Some(Err(failure)) => tracing::error!("the old certificate stays in use\n{failure}"),
        None => {}
    }
}
