//! A connection to a server, with the namespace that its calls are about.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};

use super::access::{Access, KeyHeader, Tls, Wire};
use super::error::Error;
use super::import::{Import, Imported, Streams};
use super::pages::{Page, Pages};
use super::retry::{Retry, chance};
use crate::rpc::proto::admin_service_client::AdminServiceClient;
use crate::rpc::proto::fact_service_client::FactServiceClient;
use crate::rpc::proto::graph_service_client::GraphServiceClient;
use crate::rpc::proto::memory_service_client::MemoryServiceClient;
use crate::rpc::proto::{
    CreateNamespaceRequest, CreateNamespaceResponse, FindPathsRequest, FindPathsResponse,
    GetTimelineRequest, ImportFactsRequest, ImportFactsResponse, ListFactsRequest, Operation,
    RecallRequest, RecallResponse, Rectangle, TransactRequest, TransactResponse, TraverseRequest,
    TraverseResponse,
};
use crate::types::limits::{MESSAGE_BYTES_MAX, ROWS_MAX};

/// Time to wait for a connection.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(10);

/// How the calls of a client are made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub retry: Retry,
    /// Deadline of a call, with all its attempts.
    pub deadline: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options { retry: Retry::default(), deadline: Duration::from_secs(30) }
    }
}

/// The generated clients, for everything, and beside them the calls that are awkward to make by
/// hand. Those fill in the namespace where a request names none. Cloning shares the connection.
///
/// ```no_run
/// use tenure::client::{Client, triple, valid};
/// use tenure::rpc::proto::{Assert, FactPattern, ListFactsRequest, TransactRequest};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let memory = Client::new("http://127.0.0.1:50051", "people")?;
/// let joined = Assert {
///     triple: triple("Ann", "works_at", "Acme"),
///     from: Some("2020".into()),
///     ..Default::default()
/// };
/// memory.transact(TransactRequest { operations: vec![joined.into()], ..Default::default() }).await?;
/// let pattern = Some(FactPattern { subject: "Ann".to_owned(), ..Default::default() });
/// let facts = ListFactsRequest { pattern, as_of: valid("2022"), ..Default::default() };
/// println!("{:?}", memory.list_facts(facts).all().await?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Client {
    pub facts: FactServiceClient<Wire>,
    pub graph: GraphServiceClient<Wire>,
    pub memory: MemoryServiceClient<Wire>,
    pub admin: AdminServiceClient<Wire>,
    pub namespace: String,
    options: Options,
}

impl Client {
    /// The connection is made with the first call.
    ///
    /// # Errors
    /// When `server` is no address, such as `http://127.0.0.1:50051`.
    pub fn new(server: &str, namespace: &str) -> Result<Client, tonic::transport::Error> {
        Ok(Client::over(Client::channel(server)?, namespace))
    }

    /// The same with an API key or a token, and over `https` with what it takes.
    ///
    /// # Errors
    /// When `server` is no address, or what TLS takes cannot be used.
    pub fn with_access(
        server: &str,
        namespace: &str,
        access: Access,
    ) -> Result<Client, tonic::transport::Error> {
        let Access { key, tls } = access;
        let channel = Client::channel_with(server, tls)?;
        Ok(Client::over_wire(InterceptedService::new(channel, KeyHeader(key)), namespace))
    }

    /// A channel as [`Client::new`] makes one: connected with the first call.
    ///
    /// # Errors
    /// When `server` is no address.
    pub fn channel(server: &str) -> Result<Channel, tonic::transport::Error> {
        Client::channel_with(server, Tls::default())
    }

    /// The same over TLS, where the address begins with `https`.
    ///
    /// # Errors
    /// When `server` is no address, or what TLS takes cannot be used.
    pub fn channel_with(server: &str, tls: Tls) -> Result<Channel, tonic::transport::Error> {
        let endpoint = Endpoint::from_shared(server.to_owned())?
            .connect_timeout(CONNECT_TIME_MAX)
            .tcp_nodelay(true);
        let encrypted = endpoint.uri().scheme_str() == Some("https");
        let endpoint = if encrypted { endpoint.tls_config(tls.config())? } else { endpoint };
        Ok(endpoint.connect_lazy())
    }

    /// A client over a channel that is made already.
    #[must_use]
    pub fn over(channel: Channel, namespace: &str) -> Client {
        Client::over_wire(InterceptedService::new(channel, KeyHeader(None)), namespace)
    }

    fn over_wire(channel: Wire, namespace: &str) -> Client {
        Client {
            facts: FactServiceClient::new(channel.clone())
                // An exported transaction may be larger than its request was.
                .max_decoding_message_size(2 * MESSAGE_BYTES_MAX)
                .max_encoding_message_size(MESSAGE_BYTES_MAX),
            graph: GraphServiceClient::new(channel.clone())
                .max_decoding_message_size(MESSAGE_BYTES_MAX)
                .max_encoding_message_size(MESSAGE_BYTES_MAX),
            memory: MemoryServiceClient::new(channel.clone())
                .max_decoding_message_size(2 * MESSAGE_BYTES_MAX)
                .max_encoding_message_size(MESSAGE_BYTES_MAX),
            admin: AdminServiceClient::new(channel)
                .max_decoding_message_size(MESSAGE_BYTES_MAX)
                .max_encoding_message_size(MESSAGE_BYTES_MAX),
            namespace: namespace.to_owned(),
            options: Options::default(),
        }
    }

    #[must_use]
    pub fn with(mut self, options: Options) -> Client {
        self.options = options;
        self
    }

    /// Makes the namespace of the client where it is not there yet.
    ///
    /// # Errors
    /// When the call is refused or not answered.
    pub async fn create_namespace(&self, zone: &str) -> Result<CreateNamespaceResponse, Error> {
        let request = CreateNamespaceRequest {
            name: self.namespace.clone(),
            zone: zone.to_owned(),
            allow_existing: true,
            ..Default::default()
        };
        self.call(request, true, |request| {
            let mut admin = self.admin.clone();
            async move { admin.create_namespace(request).await }
        })
        .await
    }

    /// One transaction. Without a `request_id` it gets one, so that it can be sent again.
    ///
    /// # Errors
    /// When the call is refused or not answered.
    pub async fn transact(&self, request: TransactRequest) -> Result<TransactResponse, Error> {
        let mut request = request;
        self.fill(&mut request.namespace);
        if request.request_id.is_empty() {
            request.request_id = format!("{:016x}{:016x}", chance(), chance());
        }
        self.call(request, true, |request| {
            let mut facts = self.facts.clone();
            async move { facts.transact(request).await }
        })
        .await
    }

    /// Facts that match, at a point of both times, or overlapping a range of valid time.
    #[must_use]
    pub fn list_facts(&self, request: ListFactsRequest) -> Pages<Rectangle> {
        let (client, mut request) = (self.clone(), request);
        self.fill(&mut request.namespace);
        widen(&mut request.page_size);
        Pages::new(move |page_token| {
            let (client, request) = (client.clone(), request.clone());
            async move {
                let request = ListFactsRequest { page_token, ..request };
                let send = |request| {
                    let mut facts = client.facts.clone();
                    async move { facts.list_facts(request).await }
                };
                let page = client.call(request, true, send).await?;
                let (next_page_token, basis) = (page.next_page_token, page.basis);
                Ok(Page { rows: page.rectangles, next_page_token, basis })
            }
        })
    }

    /// What held over valid time, or every rectangle ever believed.
    #[must_use]
    pub fn timeline(&self, request: GetTimelineRequest) -> Pages<Rectangle> {
        let (client, mut request) = (self.clone(), request);
        self.fill(&mut request.namespace);
        widen(&mut request.page_size);
        Pages::new(move |page_token| {
            let (client, request) = (client.clone(), request.clone());
            async move {
                let request = GetTimelineRequest { page_token, ..request };
                let send = |request| {
                    let mut facts = client.facts.clone();
                    async move { facts.get_timeline(request).await }
                };
                let page = client.call(request, true, send).await?;
                let (next_page_token, basis) = (page.next_page_token, page.basis);
                Ok(Page { rows: page.rectangles, next_page_token, basis })
            }
        })
    }

    /// Facts within reach of an entity.
    ///
    /// # Errors
    /// When the call is refused or not answered.
    pub async fn traverse(&self, request: TraverseRequest) -> Result<TraverseResponse, Error> {
        let mut request = request;
        self.fill(&mut request.namespace);
        self.call(request, true, |request| {
            let mut graph = self.graph.clone();
            async move { graph.traverse(request).await }
        })
        .await
    }

    /// Ways from one entity to another.
    ///
    /// # Errors
    /// When the call is refused or not answered.
    pub async fn find_paths(&self, request: FindPathsRequest) -> Result<FindPathsResponse, Error> {
        let mut request = request;
        self.fill(&mut request.namespace);
        self.call(request, true, |request| {
            let mut graph = self.graph.clone();
            async move { graph.find_paths(request).await }
        })
        .await
    }

    /// The facts and episodes that answer a question best, each with the reason it is there.
    ///
    /// # Errors
    /// When the call is refused or not answered.
    pub async fn recall(&self, request: RecallRequest) -> Result<RecallResponse, Error> {
        let mut request = request;
        self.fill(&mut request.namespace);
        self.call(request, true, |request| {
            let mut memory = self.memory.clone();
            async move { memory.recall(request).await }
        })
        .await
    }

    /// Operations in bulk, read as they are sent.
    ///
    /// # Errors
    /// When a stream is refused or not answered. What was committed stays.
    pub async fn import(
        &self,
        operations: impl IntoIterator<Item = Operation>,
        options: Import,
    ) -> Result<Imported, Error> {
        let mut imported = Imported::default();
        for messages in Streams::new(operations.into_iter(), &self.namespace, options) {
            imported.add(self.import_stream(messages, options.deduplicate).await?);
        }
        Ok(imported)
    }

    /// A stream has no deadline: how long it takes is up to the rows.
    async fn import_stream(
        &self,
        messages: Vec<ImportFactsRequest>,
        repeatable: bool,
    ) -> Result<ImportFactsResponse, Error> {
        let mut failures = 0;
        loop {
            let stream = tokio_stream::iter(messages.clone());
            let error = match self.facts.clone().import_facts(stream).await {
                Ok(response) => return Ok(response.into_inner()),
                Err(status) => Error::from(status),
            };
            failures += 1;
            let wait = self.options.retry.wait(&error, repeatable, failures).ok_or(error)?;
            sleep(wait).await;
        }
    }

    /// Any call with a deadline and retries. A call is `repeatable` when it may be answered twice
    /// without another effect: a read, or a write with a `request_id`.
    ///
    /// # Errors
    /// When the call is refused or not answered.
    pub async fn call<R: Clone, T, F>(
        &self,
        message: R,
        repeatable: bool,
        send: impl Fn(Request<R>) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<Response<T>, Status>>,
    {
        let until = Instant::now() + self.options.deadline;
        let mut failures = 0;
        loop {
            let mut request = Request::new(message.clone());
            request.set_timeout(until.saturating_duration_since(Instant::now()));
            let answer = tokio::time::timeout_at(until, send(request)).await;
            let error = match answer {
                Ok(Ok(response)) => return Ok(response.into_inner()),
                Ok(Err(status)) => Error::from(status),
                Err(_) => return Err(Status::deadline_exceeded("no answer in time").into()),
            };
            failures += 1;
            match self.options.retry.wait(&error, repeatable, failures) {
                Some(wait) if Instant::now() + wait < until => sleep(wait).await,
                _ => return Err(error),
            }
        }
    }

    fn fill(&self, namespace: &mut String) {
        if namespace.is_empty() {
            namespace.clone_from(&self.namespace);
        }
    }
}

/// Pages are followed to the end, so the fewer the better.
fn widen(page_size: &mut i32) {
    if *page_size == 0 {
        *page_size = i32::try_from(ROWS_MAX).expect("a page fits the wire");
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use tonic::Code;

    use super::*;

    /// What became of a call that fails so many times before it is answered, and how it was sent.
    async fn sent(
        failures: usize,
        repeatable: bool,
        options: Options,
    ) -> (Result<u32, Code>, Vec<&'static str>) {
        let channel = Endpoint::from_static("http://127.0.0.1:1").connect_lazy();
        let client = Client::over(channel, "lab").with(options);
        let seen = RefCell::new(Vec::new());
        let answer = client
            .call("the same", repeatable, |request: Request<&str>| {
                seen.borrow_mut().push(request.into_inner());
                let lost = seen.borrow().len() <= failures;
                std::future::ready(if lost {
                    Err(Status::unavailable("lost"))
                } else {
                    Ok(Response::new(7))
                })
            })
            .await;
        (answer.map_err(|error| error.code), seen.into_inner())
    }

    #[tokio::test]
    async fn a_call_is_sent_again_as_it_was() {
        let retry = Retry { first: Duration::from_millis(1), ..Retry::default() };
        let options = Options { retry, ..Options::default() };
        assert_eq!(sent(2, true, options).await, (Ok(7), vec!["the same"; 3]));
        assert_eq!(sent(9, true, options).await, (Err(Code::Unavailable), vec!["the same"; 5]));
        assert_eq!(sent(1, false, options).await, (Err(Code::Unavailable), vec!["the same"]));
        let hurried = Options { deadline: Duration::from_millis(20), ..Options::default() };
        assert_eq!(sent(1, true, hurried).await, (Err(Code::Unavailable), vec!["the same"]));
    }
}
