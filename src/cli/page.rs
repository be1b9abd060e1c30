//! Following page tokens until the caller's limit.

use crate::rpc::proto::Basis;
use crate::types::limits::ROWS_MAX;

use super::error::Error;

/// One page of an answer.
pub(crate) struct Page<T> {
    pub(crate) rows: Vec<T>,
    /// Empty on the last page.
    pub(crate) next_page_token: String,
    pub(crate) basis: Option<Basis>,
}

/// What is left to say when the rows have been handed on.
pub(crate) struct Followed {
    pub(crate) shown: u64,
    /// There were more rows than the limit.
    pub(crate) cut: bool,
    pub(crate) basis: Option<Basis>,
}

/// Asks for pages until `limit` rows (0: all) have gone to `take`. `fetch` gets the size of the
/// page and its token.
pub(crate) async fn follow<T>(
    limit: u64,
    mut fetch: impl AsyncFnMut(i32, String) -> Result<Page<T>, Error>,
    mut take: impl FnMut(T) -> Result<(), Error>,
) -> Result<Followed, Error> {
    let limit = if limit == 0 { u64::MAX } else { limit };
    let mut followed = Followed { shown: 0, cut: false, basis: None };
    let mut token = String::new();
    loop {
        let page_size = (limit - followed.shown).min(ROWS_MAX as u64);
        let page_size = i32::try_from(page_size).expect("a page fits the wire");
        let page = fetch(page_size, std::mem::take(&mut token)).await?;
        followed.basis = followed.basis.or(page.basis);
        for row in page.rows {
            if followed.shown == limit {
                followed.cut = true;
                return Ok(followed);
            }
            take(row)?;
            followed.shown += 1;
        }
        token = page.next_page_token;
        if token.is_empty() {
            return Ok(followed);
        }
        if followed.shown == limit {
            followed.cut = true;
            return Ok(followed);
        }
    }
}

/// A limit as the wire has it for answers that have no pages: 0 asks for as many as there may be.
pub(crate) fn whole_limit(limit: u64, max: usize) -> i32 {
    let max = i32::try_from(max).expect("limits fit the wire");
    match i32::try_from(limit) {
        Ok(1..) => i32::try_from(limit).map_or(max, |limit| limit.min(max)),
        Ok(_) | Err(_) => max,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows a list of seven rows served three a page, whatever size is asked for.
    async fn check(limit: u64, expected: &[u32], cut: bool) {
        let rows: Vec<u32> = (0..7).collect();
        let mut got = Vec::new();
        let followed = follow(
            limit,
            async |page_size, token| {
                let start: usize = token.parse().unwrap_or(0);
                assert!(page_size >= 1);
                let end = (start + 3.min(page_size.unsigned_abs() as usize)).min(rows.len());
                let next = if end < rows.len() { end.to_string() } else { String::new() };
                Ok(Page { rows: rows[start..end].to_vec(), next_page_token: next, basis: None })
            },
            |row| {
                got.push(row);
                Ok(())
            },
        )
        .await
        .unwrap();
        assert_eq!(got, expected);
        assert_eq!((followed.shown, followed.cut), (expected.len() as u64, cut));
    }

    #[tokio::test]
    async fn pages_are_followed_to_the_limit() {
        check(0, &[0, 1, 2, 3, 4, 5, 6], false).await;
        check(7, &[0, 1, 2, 3, 4, 5, 6], false).await;
        check(5, &[0, 1, 2, 3, 4], true).await;
        check(3, &[0, 1, 2], true).await;
        check(100, &[0, 1, 2, 3, 4, 5, 6], false).await;
    }

    #[test]
    fn no_limit_is_the_largest() {
        assert_eq!(whole_limit(0, 1_000), 1_000);
        assert_eq!(whole_limit(5, 1_000), 5);
        assert_eq!(whole_limit(u64::MAX, 1_000), 1_000);
    }
}
