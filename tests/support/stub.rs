//! An HTTP server on a port of its own that does what a test says, also what no server should.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use serde_json::{Value, json};

/// What the next request gets.
pub(crate) enum Answer {
    /// Status, further header lines, body.
    Reply(u16, &'static str, String),
    /// Nothing, until the other side goes away.
    Hang,
    /// The head of a reply and nothing of its body, until the other side goes away.
    HangInBody,
    Close,
    /// A body that is shorter than was announced.
    BreakOff(&'static str),
    /// Bytes until the other side has enough of them.
    Endless,
    /// The answer, once something is sent or nobody can send any more.
    Held(Receiver<()>, Box<Answer>),
}

impl Answer {
    pub(crate) fn ok(body: &impl ToString) -> Answer {
        Answer::Reply(200, "", body.to_string())
    }

    pub(crate) fn status(status: u16) -> Answer {
        Answer::Reply(status, "", "no".to_owned())
    }
}

pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: Value,
}

/// Once it has done all it was told it embeds: each text into [`embedding`], last text first. Asked as
/// a chat model it plays one.
#[derive(Clone)]
pub(crate) struct Stub {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    answers: VecDeque<Answer>,
    requests: Vec<Request>,
    /// What [`Answer::Endless`] got rid of.
    written: usize,
}

/// Two numbers that tell texts apart.
pub(crate) fn embedding(text: &str) -> [f32; 2] {
    let bytes = text.bytes().fold(0.0, |sum, byte| sum + f32::from(byte));
    [1.0, bytes / 1_000.0]
}

impl Stub {
    pub(crate) fn start(answers: impl IntoIterator<Item = Answer>) -> Stub {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state = State { answers: answers.into_iter().collect(), ..State::default() };
        let stub = Stub { address, state: Arc::new(Mutex::new(state)) };
        let serving = stub.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (serving, stream) = (serving.clone(), stream.expect("a connection"));
                // The other side may go away at any time.
                thread::spawn(move || serving.serve(&stream).ok());
            }
        });
        stub
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Tells it what to do with the next request.
    pub(crate) fn next(&self, answer: Answer) {
        self.state().answers.push_back(answer);
    }

    pub(crate) fn requests(&self) -> usize {
        self.state().requests.len()
    }

    pub(crate) fn written(&self) -> usize {
        self.state().written
    }

    /// Looks at the requests so far.
    pub(crate) fn look<T>(&self, at: impl FnOnce(&[Request]) -> T) -> T {
        at(&self.state().requests)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics while it holds the stub")
    }

    fn serve(&self, stream: &TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream);
        while let Some(request) = read(&mut reader)? {
            let honest = match request.body.get("messages") {
                Some(_) => crate::player::play(&request),
                None => honest(&request.body),
            };
            let answer = {
                let mut state = self.state();
                state.requests.push(request);
                state.answers.pop_front()
            };
            let mut answer = answer.unwrap_or_else(|| Answer::ok(&honest));
            while let Answer::Held(sent, held) = answer {
                // Either way it is time.
                let _ = sent.recv();
                answer = *held;
            }
            match answer {
                Answer::Held(..) => unreachable!("it was held until now"),
                Answer::Reply(status, headers, body) => {
                    let length = body.len();
                    write(
                        stream,
                        &format!("{status} X\r\n{headers}content-length: {length}"),
                        &body,
                    )?;
                }
                Answer::BreakOff(body) => {
                    return write(stream, "200 X\r\ncontent-length: 999", body);
                }
                Answer::Hang => return gone(reader),
                Answer::HangInBody => {
                    write(stream, "200 X\r\ncontent-length: 999", "")?;
                    return gone(reader);
                }
                Answer::Close => return Ok(()),
                Answer::Endless => {
                    write(stream, "200 X\r\nconnection: close", "[")?;
                    let spaces = " ".repeat(64 * 1_024);
                    loop {
                        (&mut &*stream).write_all(spaces.as_bytes())?;
                        self.state().written += spaces.len();
                    }
                }
            }
        }
        Ok(())
    }
}

fn read(reader: &mut BufReader<&TcpStream>) -> std::io::Result<Option<Request>> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(None);
        }
    }
    let head = head.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.and_then(|length| length.parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body)?;
    Ok(Some(Request { head, body: serde_json::from_slice(&body).unwrap_or_default() }))
}

fn write(mut stream: &TcpStream, head: &str, body: &str) -> std::io::Result<()> {
    stream.write_all(format!("HTTP/1.1 {head}\r\n\r\n{body}").as_bytes())
}

fn gone(mut reader: BufReader<&TcpStream>) -> std::io::Result<()> {
    reader.read_to_end(&mut Vec::new()).map(|_| ())
}

fn honest(request: &Value) -> Value {
    let texts = request["input"].as_array().cloned().unwrap_or_default();
    let data = texts.iter().enumerate().rev().map(|(index, text)| {
        let embedding = embedding(text.as_str().unwrap_or_default());
        json!({"object": "embedding", "index": index, "embedding": embedding})
    });
    let data: Vec<Value> = data.collect();
    json!({"object": "list", "data": data, "usage": {"total_tokens": 10 * texts.len()}})
}
