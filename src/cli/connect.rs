//! The connection to a server, with the namespace that every request names.

use std::time::Duration;

use tonic::{
    Response, Status,
    transport::{Channel, Endpoint},
};

use crate::rpc::proto::{
    admin_service_client::AdminServiceClient, fact_service_client::FactServiceClient,
    graph_service_client::GraphServiceClient,
};
use crate::types::limits::MESSAGE_BYTES_MAX;

use super::{args::Connection, error::Error};

/// Seconds to wait for a connection.
const CONNECT_SECONDS_MAX: u64 = 10;

pub(crate) struct Client {
    pub(crate) facts: FactServiceClient<Channel>,
    pub(crate) graph: GraphServiceClient<Channel>,
    pub(crate) admin: AdminServiceClient<Channel>,
    /// What the clients above share.
    pub(crate) channel: Channel,
    pub(crate) namespace: String,
    server: String,
}

impl Client {
    pub(crate) fn new(connection: &Connection) -> Result<Client, Error> {
        let server = with_scheme(&connection.server)?;
        let endpoint = Endpoint::from_shared(server.clone())
            .map_err(|cause| Error::usage(format!("--server {server:?} is no address: {cause}")))?
            .connect_timeout(Duration::from_secs(CONNECT_SECONDS_MAX))
            .tcp_nodelay(true);
        // The connection is made with the first call, so that a wrong word is told before that a
        // server is missing.
        let channel = endpoint.connect_lazy();
        Ok(Client {
            facts: FactServiceClient::new(channel.clone())
                .max_decoding_message_size(2 * MESSAGE_BYTES_MAX)
                .max_encoding_message_size(MESSAGE_BYTES_MAX),
            graph: GraphServiceClient::new(channel.clone())
                .max_decoding_message_size(MESSAGE_BYTES_MAX)
                .max_encoding_message_size(MESSAGE_BYTES_MAX),
            admin: AdminServiceClient::new(channel.clone())
                .max_decoding_message_size(MESSAGE_BYTES_MAX)
                .max_encoding_message_size(MESSAGE_BYTES_MAX),
            channel,
            namespace: connection.namespace.clone(),
            server,
        })
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
