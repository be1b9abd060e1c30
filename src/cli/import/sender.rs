//! One stream at a time on its way, while the next is read.

use tokio::task::JoinHandle;
use tonic::{Response, Status};

use crate::rpc::proto::ImportFactsResponse;

use super::super::{connect::Client, error::Error};
use super::load::Load;

type Reply = Result<Response<ImportFactsResponse>, Status>;

/// A stream that has been answered, with its rejected rows filled in.
pub(crate) struct Settled {
    pub(crate) load: Load,
    pub(crate) response: ImportFactsResponse,
}

#[derive(Default)]
pub(crate) struct Sender {
    in_flight: Option<(JoinHandle<Reply>, Load)>,
}

impl Sender {
    /// Sends a stream when the one before has been answered, and gives that one back.
    pub(crate) async fn send(
        &mut self,
        client: &Client,
        mut load: Load,
    ) -> Result<Option<Settled>, Error> {
        let settled = self.settle(client).await?;
        let messages = std::mem::take(&mut load.messages);
        let mut facts = client.facts.clone();
        let call = tokio::spawn(async move {
            if messages.is_empty() {
                return Ok(Response::new(ImportFactsResponse::default()));
            }
            facts.import_facts(tokio_stream::iter(messages)).await
        });
        self.in_flight = Some((call, load));
        Ok(settled)
    }

    /// Waits for the stream on its way, if there is one.
    pub(crate) async fn settle(&mut self, client: &Client) -> Result<Option<Settled>, Error> {
        let Some((call, mut load)) = self.in_flight.take() else { return Ok(None) };
        let reply = call.await.expect("the call neither panics nor is cancelled");
        let response = client.answer(reply)?;
        load.take_rejected(&response.rejected_rows);
        Ok(Some(Settled { load, response }))
    }
}
