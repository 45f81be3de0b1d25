//! A plain proxy: each connection goes to the next server in turn, and past one that does not answer.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub(super) struct RoundRobin {
    address: SocketAddr,
    servers: Arc<Mutex<Vec<String>>>,
    accepting: JoinHandle<()>,
}

impl RoundRobin {
    /// Takes a free port; there are no servers yet.
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let servers = Arc::new(Mutex::new(Vec::new()));
        let accepting = tokio::spawn(accept(listener, Arc::clone(&servers)));
        Self { address, servers, accepting }
    }

    pub(super) fn add(&self, server: &str) {
        self.servers.lock().unwrap().push(server.to_owned());
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for RoundRobin {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, servers: Arc<Mutex<Vec<String>>>) {
    for turn in 0.. {
        let (visitor, _) = listener.accept().await.unwrap();
        let mut servers = servers.lock().unwrap().clone();
        let first = turn % servers.len();
        servers.rotate_left(first);
        tokio::spawn(pass_on(visitor, servers));
    }
}

/// To the first server that lives.
async fn pass_on(mut visitor: TcpStream, servers: Vec<String>) {
    for server in servers {
        if let Ok(mut server) = TcpStream::connect(server).await {
            // Either side may hang up at any time.
            let _bytes = copy_bidirectional(&mut visitor, &mut server).await;
            return;
        }
    }
}
