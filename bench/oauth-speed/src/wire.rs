//! One connection that is kept open, and as little work as possible for a request: the load must not cost more than the server.

use anyhow::{Context as _, Result, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// More than any answer here has: the longest is a whole project.
const ANSWER_BYTES_AT_MOST: usize = 16 << 20;

pub(crate) struct Wire {
    stream: TcpStream,
    host: String,
    read: Vec<u8>,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Wire {
    /// Connects to `http://ADDRESS`.
    pub(crate) async fn open(url: &str) -> Result<Self> {
        let host = url.strip_prefix("http://").context("expected an http address")?.to_owned();
        let stream = TcpStream::connect(&host).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, host, read: Vec::new() })
    }

    /// Asks for a page. Further header lines end with a line break each.
    pub(crate) async fn get(&mut self, path: &str, headers: &str) -> Result<Answer> {
        let host = &self.host;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n");
        self.ask(&request).await
    }

    /// Sends a form.
    pub(crate) async fn post(&mut self, path: &str, headers: &str, form: &str) -> Result<Answer> {
        let (host, length) = (&self.host, form.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {length}\r\n{headers}\r\n{form}"
        );
        self.ask(&request).await
    }

    /// Sends a request with this method and body, whose type the header lines tell.
    pub(crate) async fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<Answer> {
        let (host, length) = (&self.host, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        );
        self.ask(&request).await
    }

    async fn ask(&mut self, request: &str) -> Result<Answer> {
        self.stream.write_all(request.as_bytes()).await?;
        self.read.clear();
        loop {
            ensure!(self.stream.read_buf(&mut self.read).await? > 0, "the server hung up");
            ensure!(self.read.len() < ANSWER_BYTES_AT_MOST, "the answer has no end");
            if let Some(answer) = whole(&self.read)? {
                return Ok(answer);
            }
        }
    }
}

/// The answer, if all of it is there.
fn whole(read: &[u8]) -> Result<Option<Answer>> {
    let end = read.windows(4).position(|bytes| bytes == b"\r\n\r\n");
    let Some(end) = end else { return Ok(None) };
    let (head, body) = (std::str::from_utf8(&read[..end])?, &read[end + 4..]);
    let length: usize =
        header(head, "content-length").context("the answer has no length")?.parse()?;
    if body.len() < length {
        return Ok(None);
    }
    let body = std::str::from_utf8(body)?;
    let status = head.split(' ').nth(1).context("no status")?.parse()?;
    Ok(Some(Answer { status, head: head.to_owned(), body: body.to_owned() }))
}

/// The value of the first header of this name.
fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.split("\r\n").find_map(|line| value(line, name))
}

fn value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (found, value) = line.split_once(':')?;
    found.eq_ignore_ascii_case(name).then(|| value.trim())
}

impl Answer {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }

    /// The cookies that it sets, as they are sent back.
    pub(crate) fn cookies(&self) -> String {
        let cookies = self.head.split("\r\n").filter_map(|line| value(line, "set-cookie"));
        let pairs: Vec<&str> =
            cookies.map(|cookie| cookie.split(';').next().unwrap_or_default()).collect();
        pairs.join("; ")
    }

    /// A parameter of the address where it leads.
    pub(crate) fn returned(&self, name: &str) -> Option<String> {
        let (_, query) = self.header("location")?.split_once('?')?;
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
    }

    /// A text of a JSON object in which no text needs escaping.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let (_, rest) = self.body.split_once(&format!("\"{name}\":\""))?;
        rest.split('"').next()
    }
}
