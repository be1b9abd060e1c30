//! What a context is worth for a question: whether the answer is in it, whether an old one passes for
//! it, and how much of it has to do with the question. The same judge reads contexts and baselines.
//!
//! It knows values and nothing else. A line answers a question where it names an answer, and is about
//! what is asked where it names an answer or what was one once. What explains either without naming
//! it counts as noise.

use super::history::{Question, Turn};
use super::holds::holds;

/// One line of what an agent is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    pub tokens: usize,
    /// It is a part of the conversation that goes on, not of long-term memory.
    pub spoken: bool,
    /// When it was last said, in microseconds. None: nobody can tell.
    pub said: Option<i64>,
}

/// All that an agent is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    pub lines: Vec<Line>,
    /// Of the whole, with headings and marks.
    pub tokens: usize,
}

/// What the judge says of one bundle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// A line names an answer.
    pub found: bool,
    /// Who takes the newest of the lines that name an answer or an old one, takes an old one.
    pub outdated: bool,
    /// Long-term memory shows an old one in a line that does not name the new one.
    pub shows_old: bool,
    /// Tokens of the lines of long-term memory; of those that answer; of those that are about what
    /// is asked.
    pub memory: usize,
    pub memory_relevant: usize,
    pub memory_about: usize,
    /// Tokens of all that is written; of the lines that answer; of those about what is asked.
    pub all: usize,
    pub all_relevant: usize,
    pub all_about: usize,
}

impl Verdict {
    /// The same with all that is written in the place of what is remembered: for whoever has nothing
    /// but the conversation.
    #[must_use]
    pub fn as_if_remembered(self) -> Verdict {
        Verdict {
            memory: self.all,
            memory_relevant: self.all_relevant,
            memory_about: self.all_about,
            ..self
        }
    }
}

#[must_use]
pub fn judge(question: &Question, bundle: &Bundle) -> Verdict {
    let mut verdict = Verdict { all: bundle.tokens, ..Verdict::default() };
    let names = |line: &Line, values: &[String]| values.iter().any(|one| holds(&line.text, one));
    let mut newest: Option<(Option<i64>, bool)> = None;
    for line in &bundle.lines {
        let (new, old) = (names(line, &question.answers), names(line, &question.superseded));
        let relevant = if new { line.tokens } else { 0 };
        let about = if new || old { line.tokens } else { 0 };
        verdict.found |= new;
        verdict.all_relevant += relevant;
        verdict.all_about += about;
        if !line.spoken {
            verdict.memory += line.tokens;
            verdict.memory_relevant += relevant;
            verdict.memory_about += about;
            verdict.shows_old |= old && !new;
        }
        // Of lines of one age the one that is read last is taken; one without a time is the oldest.
        if (new || old) && newest.is_none_or(|(said, _)| line.said >= said) {
            newest = Some((line.said, !new));
        }
    }
    verdict.outdated = newest.is_some_and(|(_, old)| old);
    verdict
}

/// What an agent without a memory has: the last turns of its conversation, as many as fit in so many
/// tokens. `turns` are those of the session of the question, in their order.
#[must_use]
pub fn baseline(turns: &[&Turn], tokens: usize, count: impl Fn(&str) -> usize) -> Bundle {
    let mut bundle = Bundle::default();
    for (place, turn) in turns.iter().enumerate().rev() {
        let text = format!("{}: {}", turn.role, turn.content);
        let more = count(&format!("{text}\n"));
        if bundle.tokens + more > tokens {
            break;
        }
        bundle.tokens += more;
        let said = i64::try_from(place).ok();
        bundle.lines.push(Line { text, tokens: more, spoken: true, said });
    }
    bundle.lines.reverse();
    bundle
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, spoken: bool, said: i64) -> Line {
        Line { text: text.to_owned(), tokens: 10, spoken, said: Some(said) }
    }

    fn question() -> Question {
        Question {
            text: "Where does Ann live?".to_owned(),
            at: None,
            session: None,
            answers: vec!["Busan".to_owned()],
            superseded: vec!["Seoul".to_owned()],
        }
    }

    fn judged(lines: Vec<Line>) -> Verdict {
        judge(&question(), &Bundle { lines, tokens: 50 })
    }

    #[test]
    fn an_answer_is_found_by_whole_words() {
        assert!(judged(vec![line("ann lives in Busan", false, 1)]).found);
        assert!(!judged(vec![line("ann works at Busanbank", false, 1)]).found);
        assert!(!judged(vec![]).found);
    }

    #[test]
    fn an_old_value_counts_where_it_passes_for_the_present_one() {
        let alone = judged(vec![line("ann lives in Seoul", false, 1)]);
        assert!(alone.outdated && alone.shows_old && !alone.found);
        let beside = judged(vec![line("in Seoul", false, 1), line("in Busan", false, 2)]);
        assert!(!beside.outdated && beside.shows_old, "the newer one is taken");
        let after = judged(vec![line("in Busan", false, 1), line("in Seoul", false, 2)]);
        assert!(after.outdated, "the newer one is the old one");
        let told = judged(vec![line("moved from Seoul to Busan", false, 1)]);
        assert!(!told.outdated && !told.shows_old);
        let spoken = judged(vec![line("in Seoul", true, 1), line("in Busan", true, 2)]);
        assert!(!spoken.outdated && !spoken.shows_old, "a conversation is what was said");
        let partly = judged(vec![line("Seoulites", false, 1)]);
        assert!(!partly.outdated && !partly.shows_old);
    }

    #[test]
    fn tokens_count_where_a_line_names_the_answer() {
        let lines = vec![
            line("in Busan", false, 1),
            line("in Seoul", false, 1),
            line("Ann has a dog", false, 1),
            line("noise", true, 1),
            line("Busan!", true, 1),
        ];
        let verdict = judged(lines);
        assert_eq!((verdict.memory, verdict.memory_relevant), (30, 10));
        assert_eq!(verdict.memory_about, 20, "what answered once is about the same");
        assert_eq!((verdict.all, verdict.all_relevant, verdict.all_about), (50, 20, 30));
        let alone = verdict.as_if_remembered();
        assert_eq!((alone.memory, alone.memory_relevant, alone.memory_about), (50, 20, 30));
    }

    #[test]
    fn without_a_memory_there_are_the_last_turns_that_fit() {
        let turn = |content: &str| Turn {
            session: "s".to_owned(),
            role: "user".to_owned(),
            content: content.to_owned(),
            time: None,
        };
        let said = [turn("a"), turn("bb"), turn("c")];
        let turns: Vec<&Turn> = said.iter().collect();
        let found = baseline(&turns, 18, str::len);
        let texts: Vec<&str> = found.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!((texts, found.tokens), (vec!["user: bb", "user: c"], 17));
        assert_eq!(baseline(&[], 100, str::len), Bundle::default());
    }
}
