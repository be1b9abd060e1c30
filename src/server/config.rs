//! What the process needs to know, validated once.

use std::net::SocketAddr;
use std::path::PathBuf;

use thiserror::Error;

use crate::engine;

#[derive(Clone, Debug)]
pub struct Config {
    pub data: PathBuf,
    pub listen: SocketAddr,
}

#[derive(Debug, Error)]
pub enum ServeError {
    #[error("cannot listen on {address}")]
    Listen { address: SocketAddr, source: std::io::Error },
    #[error(transparent)]
    Open(#[from] engine::OpenError),
    #[error("the server failed")]
    Transport(#[from] tonic::transport::Error),
}
