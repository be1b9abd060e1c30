//! The connection to a server, with the namespace that every request names.

use std::error::Error as _;
use std::fs;
use std::path::Path;

use tonic::{Response, Status, transport::Channel};

use crate::client;
use crate::rpc::proto::{
    admin_service_client::AdminServiceClient, fact_service_client::FactServiceClient,
    graph_service_client::GraphServiceClient, memory_service_client::MemoryServiceClient,
};

use super::{
    args::{Connection, Secret},
    error::Error,
};

pub(crate) struct Client {
    pub(crate) facts: FactServiceClient<client::Wire>,
    pub(crate) graph: GraphServiceClient<client::Wire>,
    pub(crate) memory: MemoryServiceClient<client::Wire>,
    pub(crate) admin: AdminServiceClient<client::Wire>,
    /// For clients of another kind, and what opens the server to them.
    pub(crate) channel: Channel,
    pub(crate) key: Option<client::Key>,
    pub(crate) namespace: String,
    server: String,
}

impl Client {
    /// The connection is made with the first call, so that a wrong word is told before that a
    /// server is missing.
    pub(crate) fn new(connection: &Connection) -> Result<Client, Error> {
        let server = with_scheme(&connection.server)?;
        let tls = tls(connection)?;
        let key = key(connection)?;
        let refused = |cause: tonic::transport::Error| {
            let cause = cause.source().map_or_else(|| cause.to_string(), ToString::to_string);
            Error::usage(format!("--server {server:?} cannot be used: {cause}"))
        };
        let channel = client::Client::channel_with(&server, tls.clone()).map_err(refused)?;
        let access = client::Access { key: key.clone(), tls };
        let client::Client { facts, graph, memory, admin, namespace, .. } =
            client::Client::with_access(&server, &connection.namespace, access).map_err(refused)?;
        Ok(Client { facts, graph, memory, admin, channel, key, namespace, server })
    }

    /// The answer inside a response, or the error inside a status.
    pub(crate) fn answer<T>(&self, reply: Result<Response<T>, Status>) -> Result<T, Error> {
        match reply {
            Ok(response) => Ok(response.into_inner()),
            Err(status) => Err(Error::from_status(&self.server, &status)),
        }
    }
}

/// "host:port" alone means plain HTTP/2.
fn with_scheme(server: &str) -> Result<String, Error> {
    match server.split_once("://") {
        None => Ok(format!("http://{server}")),
        Some(("http" | "https", _)) => Ok(server.to_owned()),
        Some((scheme, _)) => Err(Error::usage(format!(
            "--server {server:?} asks for {scheme}, and only http:// and https:// are spoken here"
        ))),
    }
}

fn key(connection: &Connection) -> Result<Option<client::Key>, Error> {
    let text = match (&connection.api_key, &connection.api_key_file) {
        (Some(Secret(text)), _) => text.clone(),
        (None, Some(path)) => String::from_utf8_lossy(&file(path)?).into_owned(),
        (None, None) => return Ok(None),
    };
    client::Key::new(&text).map(Some).map_err(|error| Error::usage(error.to_string()))
}

fn tls(connection: &Connection) -> Result<client::Tls, Error> {
    let authority = connection.tls_ca.as_deref().map(file).transpose()?;
    let identity = match (&connection.tls_client_cert, &connection.tls_client_key) {
        (Some(certificate), Some(key)) => Some((file(certificate)?, file(key)?)),
        _ => None,
    };
    Ok(client::Tls { authority, identity })
}

fn file(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|cause| Error::File { path: path.display().to_string(), cause })
}
