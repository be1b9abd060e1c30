//! N03: dates finer than a microsecond are cut to it, and the reply says so.

use crate::rpc::proto;
use crate::rpc::proto::operation::Operation as Kind;

/// Whether a date of the operation lost digits.
#[must_use]
pub fn floored(operation: &proto::Operation) -> bool {
    let Some(kind) = &operation.operation else { return false };
    let bounds: Vec<Option<&proto::Bound>> = match kind {
        Kind::Assert(assert) => vec![assert.from.as_ref(), assert.to.as_ref()],
        Kind::End(end) => vec![end.at.as_ref()],
        Kind::Retract(retract) => vec![retract.from.as_ref(), retract.to.as_ref()],
        Kind::Supersede(supersede) => vec![supersede.at.as_ref()],
        Kind::Correct(correct) => {
            vec![correct.at.as_ref(), correct.from.as_ref(), correct.to.as_ref()]
        }
        Kind::AddEpisode(episode) => vec![episode.from.as_ref(), episode.to.as_ref()],
        Kind::Merge(_)
        | Kind::Unmerge(_)
        | Kind::DeclarePredicate(_)
        | Kind::Accept(_)
        | Kind::WithdrawSource(_)
        | Kind::RetractEpisode(_)
        | Kind::Archive(_)
        | Kind::Restore(_) => Vec::new(),
    };
    let dates = bounds.into_iter().flatten().filter_map(|bound| match &bound.bound {
        Some(proto::bound::Bound::Date(date)) => Some(date),
        _ => None,
    });
    let more = match kind {
        Kind::Assert(assert) => [assert.through.as_ref(), assert.at.as_ref()],
        _ => [None, None],
    };
    dates.chain(more.into_iter().flatten()).any(|date| is_finer(&date.text))
}

fn is_finer(text: &str) -> bool {
    let fraction = text.split(['.', ',']).nth(1).unwrap_or_default();
    let digits = fraction.chars().take_while(char::is_ascii_digit);
    digits.skip(6).any(|digit| digit != '0')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_from(text: &str) -> proto::Operation {
        let date = proto::CivilDate { text: text.to_owned(), ..Default::default() };
        let from = proto::Bound { bound: Some(proto::bound::Bound::Date(date)), written: None };
        let assert = proto::Assert { from: Some(from), ..Default::default() };
        proto::Operation { operation: Some(Kind::Assert(assert)) }
    }

    #[test]
    fn only_lost_digits_count() {
        assert!(floored(&assert_from("2024-03-05T06:07:08.123456789Z")));
        assert!(!floored(&assert_from("2024-03-05T06:07:08.123456000Z")));
        assert!(!floored(&assert_from("2024-03-05T06:07:08.123456Z")));
        assert!(!floored(&assert_from("2024")));
    }
}
