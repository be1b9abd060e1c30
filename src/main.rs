//! The binary.

use std::net::SocketAddr;
use std::path::PathBuf;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let data = PathBuf::from(arguments.next().unwrap_or_else(|| "tenure-data".to_owned()));
    let listen: SocketAddr =
        arguments.next().unwrap_or_else(|| "127.0.0.1:50051".to_owned()).parse()?;
    tenure::server::init_telemetry(false);
    tenure::server::serve(tenure::server::Config { data, listen }, tenure::server::interrupted())
        .await?;
    Ok(())
}
