//! nginx in front of the real binary, configured as docs/deploying.md says. Nothing that nginx writes may hold a secret.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{self, Command};
use std::sync::atomic::{AtomicU16, Ordering};

use rustix::process::Signal;
use serde_json::Value;

use crate::command_line::binary::{Folder, Server, stdout};
use crate::command_line::doctor;
use crate::tls::certificates::{Authority, Protected};
use crate::wire::Wire;

const DOCUMENT: &str = include_str!("../../../../docs/deploying.md");

/// Debian keeps it out of people's search path.
const NGINX: &str = "/usr/sbin/nginx";

/// What no client can choose.
const AROUND: &str = "daemon on; master_process off; pid nginx.pid; error_log error.log; events {}
http {
    access_log off; client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
";

/// The first configuration of nginx below a heading.
fn block_below(heading: &str) -> &'static str {
    let (_, section) = DOCUMENT.split_once(heading).unwrap();
    let (_, block) = section.split_once("```nginx\n").unwrap();
    block.split_once("```").unwrap().0
}

/// nginx before a demo server.
struct Proxied {
    server: Server,
    folder: Folder,
    authority: Authority,
    https: String,
    http: String,
}

impl Proxied {
    /// Starts both, with the documented configuration after `change`.
    fn start(change: impl FnOnce(String) -> String) -> Self {
        let (folder, authority) = (Folder::new(), Authority::new());
        authority.issue("localhost").write(&folder);
        let (https, http) = (free_address(), free_address());
        let server = folder.serve(&[
            "--demo",
            "--data",
            "data",
            "--trusted-proxy",
            "127.0.0.1",
            "--public-url",
            &format!("https://localhost:{}", https.split_once(':').unwrap().1),
        ]);
        let path = |name: &str| folder.path(name).to_str().unwrap().to_owned();
        let documented = block_below("### nginx\n");
        let lines: Vec<_> =
            documented.lines().filter(|line| !line.contains("listen [::]")).collect();
        let adapted = lines
            .join("\n")
            .replace("listen 443", &format!("listen {https}"))
            .replace("listen 80", &format!("listen {http}"))
            .replace("/var/log/nginx/", &path(""))
            .replace("/etc/ssl/experiments.shop.example.pem", &path("cert.pem"))
            .replace("/etc/ssl/experiments.shop.example.key", &path("key.pem"))
            .replace("experiments.shop.example", "localhost")
            .replace("127.0.0.1:8080", server.address());
        folder.write("nginx.conf", &format!("{AROUND}{}}}\n", change(adapted)));
        let started = nginx(&folder, &[]).output();
        let started =
            started.expect("nginx is not installed; `cargo xtask test` installs it on Debian");
        assert!(started.status.success(), "{started:?}");
        Self { server, folder, authority, https, http }
    }

    /// The status of a question that any server answers.
    fn status(&self) -> String {
        let client = self.authority.client_for(&["http/1.1"]);
        let question = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        let answer = Protected::connect(&self.https, client).ask(question);
        answer.split_whitespace().nth(1).unwrap_or_default().to_owned()
    }

    /// Asks for tokens in the query form.
    fn ask_for_tokens(&self, client_secret: &str) -> String {
        let client_id = self.server.ready["application"]["client_id"].as_str().unwrap();
        let mut connection =
            Protected::connect(&self.https, self.authority.client_for(&["http/1.1"]));
        connection.ask(&format!(
            "POST /oauth2/token?grant_type=refresh_token&refresh_token=x&client_id={client_id}&client_secret={client_secret} \
             HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 198.51.100.9\r\nX-Forwarded-Proto: http\r\n\
             Forwarded: for=198.51.100.9\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ))
    }

    fn client_secret(&self) -> String {
        self.server.ready["application"]["client_secret"].as_str().unwrap().to_owned()
    }

    /// Everything that nginx wrote.
    fn written(&self) -> String {
        let logs = ["assay.log", "error.log"].map(|name| self.folder.path(name));
        logs.iter().map(|log| fs::read_to_string(log).unwrap()).collect()
    }
}

impl Drop for Proxied {
    fn drop(&mut self) {
        let _stopped = nginx(&self.folder, &["-s", "stop"]).output();
    }
}

fn nginx(folder: &Folder, arguments: &[&str]) -> Command {
    let program = if Path::new(NGINX).exists() { NGINX } else { "nginx" };
    let mut command = Command::new(program);
    command
        .arg("-p")
        .arg(folder.path(""))
        .args(["-c", "nginx.conf", "-e", "error.log"])
        .args(arguments);
    command
}

/// A free port: nginx cannot pick one itself. It is below those that the system gives to who asks for any (32,768 and up), so that no
/// other test has it when nginx asks for it.
fn free_address() -> String {
    static TAKEN: AtomicU16 = AtomicU16::new(0);
    // Tests that run side by side are processes with other numbers.
    let first = 20_000 + u16::try_from(process::id() % 1_500).unwrap() * 8;
    let mut ports = first + TAKEN.fetch_add(1, Ordering::Relaxed)..32_768;
    let free = ports.find_map(|port| TcpListener::bind(("127.0.0.1", port)).ok());
    free.unwrap().local_addr().unwrap().to_string()
}

#[test]
fn nginx_as_documented_writes_no_secret_down() {
    let mut proxied = Proxied::start(|documented| documented);
    let secret = proxied.client_secret();

    let known = proxied.ask_for_tokens(&secret);
    let unknown = proxied.ask_for_tokens("assay_cs_wrong");
    let audit = proxied.folder.assay(&["audit", "--data", "data", "--json"]);
    proxied.server.signal(Signal::TERM);
    proxied.server.exit_code();
    let unreachable = proxied.ask_for_tokens(&secret);

    assert!(known.starts_with("HTTP/1.1 400") && known.contains("invalid_grant"), "{known}");
    assert!(unknown.starts_with("HTTP/1.1 401"), "{unknown}");
    assert!(unreachable.starts_with("HTTP/1.1 502"), "{unreachable}");
    let written = proxied.written();
    assert_eq!(written.matches("\"POST /oauth2/token\"").count(), 3, "{written}");
    assert!(!written.contains("assay_cs") && !written.contains(&secret), "{written}");
    let refused: Value = serde_json::from_str(stdout(&audit).lines().next().unwrap()).unwrap();
    assert_eq!(
        (&refused["event"], &refused["address"]),
        (&"client.refused".into(), &"127.0.0.1".into())
    );
}

#[test]
fn without_the_documented_format_nginx_writes_the_secret_down() {
    let mut proxied = Proxied::start(|documented| {
        documented
            .replace("assay.log without_query", "assay.log")
            .replace("/dev/null emerg", "error.log")
    });
    let secret = proxied.client_secret();

    proxied.ask_for_tokens(&secret);
    assert_eq!(proxied.written().matches(&secret).count(), 1);
    proxied.server.signal(Signal::TERM);
    proxied.server.exit_code();
    proxied.ask_for_tokens(&secret);

    assert!(proxied.written().matches(&secret).count() > 2, "errors have it, too");
}

#[test]
fn nginx_as_documented_sends_no_program_on_from_plain_http() {
    let proxied = Proxied::start(|documented| documented);
    let ask = |line: &str| {
        let mut wire = Wire::connect(&proxied.http);
        wire.send(format!(
            "{line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ));
        String::from_utf8(wire.hear_all()).unwrap().to_ascii_lowercase()
    };

    let program = ask("POST /oauth2/token?client_secret=a-secret");
    let person = ask("GET /");

    assert!(program.starts_with("http/1.1 403") && !program.contains("location"), "{program}");
    assert!(
        person.starts_with("http/1.1 301") && person.contains("location: https://localhost/"),
        "{person}"
    );
    assert!(!proxied.written().contains("a-secret"));
}

/// The documented configuration with what is documented for two servers, at these addresses.
fn before_two(documented: &str, addresses: [&str; 2]) -> String {
    let upstream = "upstream assay {";
    let (before, rest) = documented.split_once(upstream).unwrap();
    let after = rest.split_once('}').unwrap().1;
    let (_, two) = DOCUMENT.split_once("```nginx\nupstream assay {").unwrap();
    let two = two.split_once('}').unwrap().0;
    let two = two.replace("10.0.0.11:8080", addresses[0]).replace("10.0.0.12:8080", addresses[1]);
    format!("{before}{upstream}{two}}}{after}")
}

/// Another server at the address, which answers everything.
fn start_another(address: &str) {
    let listener = TcpListener::bind(address).unwrap();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                connection.read_exact(&mut byte).unwrap();
                head.extend(byte);
            }
            // As a server that is stopping: nginx may send nothing else on this connection.
            let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            connection.write_all(answer).unwrap();
        }
    });
}

#[test]
fn nginx_before_two_servers_as_documented_fails_no_request_while_they_restart_in_turn() {
    let other = free_address();
    let mut proxied = Proxied::start(|documented| {
        let (_, rest) = documented.split_once("server 127.0.0.1:").unwrap();
        let first = format!("127.0.0.1:{}", rest.split_once(';').unwrap().0);
        before_two(&documented, [&first, &other])
    });
    let ask = |proxied: &Proxied| (0..20).map(|_| proxied.status()).collect::<Vec<_>>();

    let without_the_other = ask(&proxied);
    start_another(&other);
    proxied.server.signal(Signal::TERM);
    proxied.server.exit_code();
    let without_the_first = ask(&proxied);

    assert_eq!(without_the_other, ["200"; 20]);
    assert_eq!(without_the_first, ["200"; 20]);
}

/// What `assay doctor` finds out about one of the things that it looks at.
fn examined(proxied: &Proxied, check: &str) -> Vec<(String, String)> {
    let authority = proxied.folder.write("authority.pem", &proxied.authority.pem());
    let port = proxied.https.split_once(':').unwrap().1;
    let looked = proxied.folder.assay_with(
        "SSL_CERT_FILE",
        authority.to_str().unwrap(),
        &[
            "doctor",
            "--json",
            "--data",
            "data",
            "--listen",
            proxied.server.address(),
            "--trusted-proxy",
            "127.0.0.1",
            "--public-url",
            &format!("https://localhost:{port}"),
        ],
    );
    doctor::about(&looked, check)
}

#[test]
fn the_doctor_sees_what_the_proxy_says_of_callers() {
    let documented = Proxied::start(|documented| documented);
    let header = "proxy_set_header X-Forwarded-Proto";
    let without_line = |text: String| {
        let lines: Vec<_> = text.lines().filter(|line| !line.contains(header)).collect();
        lines.join("\n")
    };
    let silent = Proxied::start(without_line);

    let [(fine, told)] = &examined(&documented, "proxy")[..] else { panic!("one finding") };
    assert_eq!((&fine[..], told.contains("who sent them")), ("ok", true), "{told}");
    let [(fault, told)] = &examined(&silent, "proxy")[..] else { panic!("one finding") };
    assert_eq!(fault, "error", "{told}");
}

#[test]
fn the_doctor_sees_whom_the_proxy_names_as_the_caller() {
    let [header, documented] = ["proxy_set_header X-Forwarded-For ", "$remote_addr;"];
    let with =
        |other: &str| Proxied::start(|text| text.replace(&format!("{header}{documented}"), other));
    let appending = with(&format!("{header}$proxy_add_x_forwarded_for;"));
    let silent = with("");

    let [(fine, told)] = &examined(&appending, "proxy")[..] else { panic!("one finding") };
    assert_eq!(fine, "ok", "{told}");
    let found = examined(&silent, "proxy");
    let [(_, unnamed), (_, forged)] = &found[..] else { panic!("two findings: {found:?}") };
    assert!(unnamed.contains("callers as `127.0.0.1`, its own address"), "{unnamed}");
    assert!(forged.starts_with("passes on X-Forwarded-For"), "{forged}");
    assert!(found.iter().all(|(state, _)| state == "warning"), "{found:?}");
}

#[test]
fn the_doctor_sees_what_stands_before_events() {
    let documented = Proxied::start(|documented| documented);
    let refusing = "location = /v1/events { return 403; }\n    location / {";
    let filtered = Proxied::start(|text| text.replace("location / {", refusing));

    let [(fine, told)] = &examined(&documented, "firewall")[..] else { panic!("one finding") };
    assert_eq!(fine, "ok", "{told}");
    let [(warning, told)] = &examined(&filtered, "firewall")[..] else { panic!("one finding") };
    assert_eq!(warning, "warning", "{told}");
    assert!(told.contains("`POST /v1/events`: 403"), "{told}");
}
