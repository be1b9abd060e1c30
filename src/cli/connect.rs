//! The connection to a server, with the namespace that every request names.

use tonic::{Response, Status, transport::Channel};

use crate::client;
use crate::rpc::proto::{
    admin_service_client::AdminServiceClient, fact_service_client::FactServiceClient,
    graph_service_client::GraphServiceClient, memory_service_client::MemoryServiceClient,
};

use super::{args::Connection, error::Error};

pub(crate) struct Client {
    pub(crate) facts: FactServiceClient<Channel>,
    pub(crate) graph: GraphServiceClient<Channel>,
    pub(crate) memory: MemoryServiceClient<Channel>,
    pub(crate) admin: AdminServiceClient<Channel>,
    /// What the clients above share.
    pub(crate) channel: Channel,
    pub(crate) namespace: String,
    server: String,
}

impl Client {
    /// The connection is made with the first call, so that a wrong word is told before that a
    /// server is missing.
    pub(crate) fn new(connection: &Connection) -> Result<Client, Error> {
        let server = with_scheme(&connection.server)?;
        let channel = client::Client::channel(&server)
            .map_err(|cause| Error::usage(format!("--server {server:?} is no address: {cause}")))?;
        let client::Client { facts, graph, memory, admin, namespace, .. } =
            client::Client::over(channel.clone(), &connection.namespace);
        Ok(Client { facts, graph, memory, admin, channel, namespace, server })
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
        Some(("http", _)) => Ok(server.to_owned()),
        Some((scheme, _)) => Err(Error::usage(format!(
            "--server {server:?} asks for {scheme}, and only http:// is spoken here"
        ))),
    }
}
