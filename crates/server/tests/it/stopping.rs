//! Who is connected while the real binary is told to stop, and who is not while others are slow.

use rustix::process::Signal;

use crate::wire::Listener;

const ASK: &str = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";

/// A request whose body is asked for before it is sent: once it is, the request is being answered.
const ASK_WITH_BODY: &str = "POST /oauth2/token HTTP/1.1\r\nHost: a\r\n\
    Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n";

#[test]
fn a_server_that_is_told_to_stop_finishes_what_is_going_on() {
    let mut listener = Listener::start();
    let (mut idle, mut busy) = (listener.connect(), listener.connect());
    idle.send(ASK);
    assert_eq!(idle.hear().status, 200);
    busy.send(ASK_WITH_BODY);
    assert!(busy.hears_continue());

    listener.server.signal(Signal::TERM);

    assert!(idle.is_closed(), "nothing is going on there");
    busy.send("grant_type=x");
    assert_eq!(busy.hear().status, 401);
    assert!(busy.is_closed());
    assert_eq!(listener.server.exit_code(), Some(0));
}

#[test]
fn slow_clients_do_not_delay_others() {
    let listener = Listener::start();
    let slow: Vec<_> = (0..100)
        .map(|number| {
            let mut wire = listener.connect();
            wire.send(match number % 4 {
                0 => "",
                1 => "POST /oauth2/tok",
                2 => ASK_WITH_BODY,
                _ => "POST /oauth2/token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
            });
            wire
        })
        .collect();

    assert_eq!(listener.ask(ASK).status, 200);
    drop(slow);
}
