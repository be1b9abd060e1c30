//! The real binary as a child process. It says where it listens, so any free port will do.

use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};

use tenure::rpc::proto::admin_service_client::AdminServiceClient;
use tenure::rpc::proto::fact_service_client::FactServiceClient;
use tonic::transport::Channel;

pub(crate) struct Process {
    child: Child,
    pub(crate) url: String,
    /// Kept open: a server that cannot say anything any more may behave otherwise.
    said: Option<Lines<BufReader<ChildStderr>>>,
}

/// What a server that did not start said.
pub(crate) struct Refused {
    pub(crate) status: ExitStatus,
    pub(crate) said: String,
}

impl Process {
    /// Returns once it listens, or once it has ended.
    pub(crate) fn start(data: &Path) -> Result<Process, Refused> {
        let data = data.to_str().expect("a path in Unicode");
        Process::start_with(&["serve", "--listen", "127.0.0.1:0", "--data", data])
    }

    pub(crate) fn start_with(words: &[&str]) -> Result<Process, Refused> {
        let child = Command::new(env!("CARGO_BIN_EXE_tenure"))
            .args(words)
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut process = Process { child, url: String::new(), said: None };
        let stderr = process.child.stderr.take().expect("it is piped");
        let mut said = Vec::new();
        let mut lines = BufReader::new(stderr).lines();
        while let Some(line) = lines.next() {
            let line = line.expect("text");
            if let Some((_, address)) = line.split_once("serving address=") {
                process.url = format!("http://{}", address.trim_end());
                process.said = Some(lines);
                return Ok(process);
            }
            said.push(line);
        }
        let status = process.child.wait().expect("it has ended");
        Err(Refused { status, said: said.join("\n") })
    }

    pub(crate) async fn connect(&self) -> Clients {
        let channel = Channel::from_shared(self.url.clone()).expect("a URL");
        let channel = channel.connect().await.expect("it listens");
        Clients {
            facts: FactServiceClient::new(channel.clone()),
            admin: AdminServiceClient::new(channel),
        }
    }

    /// The signal that cannot be caught, and the end of the process.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

/// A test that fails must not leave a server behind.
impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
        drop(self.said.take());
    }
}

#[derive(Clone)]
pub(crate) struct Clients {
    pub(crate) facts: FactServiceClient<Channel>,
    pub(crate) admin: AdminServiceClient<Channel>,
}

/// What a run of the binary ended with.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) told: String,
    pub(crate) said: String,
}

pub(crate) fn run(words: &[&str]) -> Ended {
    let output = Command::new(env!("CARGO_BIN_EXE_tenure"))
        .args(words)
        .env("NO_COLOR", "1")
        .env("TENURE_API_KEY", "hidden")
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Ended { status: output.status, told: text(output.stdout), said: text(output.stderr) }
}

/// Runs the binary to its end.
pub(crate) fn refused(data: &Path) -> Refused {
    Process::start(data).err().expect("it does not start")
}
