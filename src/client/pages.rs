//! The rows of a listing as a stream, asked for page by page as they are read.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio_stream::{Stream, StreamExt};

use super::error::Error;
use crate::rpc::proto::Basis;

type Fetching<T> = Pin<Box<dyn Future<Output = Result<Page<T>, Error>> + Send>>;
type Fetch<T> = Box<dyn FnMut(String) -> Fetching<T> + Send>;

/// One page of a listing.
pub(super) struct Page<T> {
    pub(super) rows: Vec<T>,
    /// Empty on the last page.
    pub(super) next_page_token: String,
    pub(super) basis: Option<Basis>,
}

/// Rows in order. All pages are answered at one basis.
pub struct Pages<T> {
    fetch: Fetch<T>,
    fetching: Option<Fetching<T>>,
    rows: VecDeque<T>,
    /// The token of the next page; nothing after the last.
    token: Option<String>,
    basis: Option<Basis>,
}

impl<T: Unpin> Pages<T> {
    /// `fetch` asks for the page of a token; the first has none.
    pub(super) fn new<F>(mut fetch: impl FnMut(String) -> F + Send + 'static) -> Pages<T>
    where
        F: Future<Output = Result<Page<T>, Error>> + Send + 'static,
    {
        Pages {
            fetch: Box::new(move |token| Box::pin(fetch(token))),
            fetching: None,
            rows: VecDeque::new(),
            token: Some(String::new()),
            basis: None,
        }
    }

    /// Where the listing is answered, once a page has come.
    #[must_use]
    pub const fn basis(&self) -> Option<&Basis> {
        self.basis.as_ref()
    }

    /// All rows that were not read yet.
    ///
    /// # Errors
    /// When a page is refused or does not come.
    pub async fn all(&mut self) -> Result<Vec<T>, Error> {
        let mut rows = Vec::new();
        while let Some(row) = self.next().await {
            rows.push(row?);
        }
        Ok(rows)
    }
}

impl<T: Unpin> Stream for Pages<T> {
    type Item = Result<T, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let pages = self.get_mut();
        loop {
            if let Some(row) = pages.rows.pop_front() {
                return Poll::Ready(Some(Ok(row)));
            }
            if pages.fetching.is_none() {
                let Some(token) = pages.token.take() else { return Poll::Ready(None) };
                pages.fetching = Some((pages.fetch)(token));
            }
            let fetching = pages.fetching.as_mut().expect("a page was asked for");
            let Poll::Ready(page) = fetching.as_mut().poll(context) else { return Poll::Pending };
            pages.fetching = None;
            match page {
                Ok(page) => {
                    pages.rows.extend(page.rows);
                    let more = !page.next_page_token.is_empty();
                    pages.token = more.then_some(page.next_page_token);
                    pages.basis = pages.basis.or(page.basis);
                }
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
    }
}
