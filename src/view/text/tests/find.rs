use super::super::TextQuery;
use super::support::{Counted, Dice, add, entries, ids, memory, owned, search};
use crate::types::DocumentId;

/// Checks a query while the texts are in the tail, and again when they are in the index.
fn check(texts: &[&str], query: &str, expected: &[u32]) {
    let view = memory();
    add(&view, &owned(texts));
    assert_eq!(ids(&view, query), expected, "{query:?} in the tail");
    view.commit().expect("a writable index");
    assert_eq!(ids(&view, query), expected, "{query:?} in the index");
}

#[test]
fn korean_is_found_with_and_without_particles() {
    let texts = ["배포는 목요일 밤에 진행한다", "노션에 회의록을 둔다"];
    check(&texts, "배포", &[0]);
    check(&texts, "노션", &[1]);
    check(&texts, "목요일 배포", &[0]);
    check(&texts, "회의록", &[1]);
    check(&texts, "회의록은", &[1]);
    check(&["비가 온다", "나비"], "비", &[0]);
    check(&["집을 샀다"], "집은", &[0]);
}

#[test]
fn scripts_without_spaces_are_found_inside_longer_runs() {
    check(&["新しい旧倉庫を借りた", "会議"], "倉庫", &[0]);
    check(&["新しい旧倉庫を借りた", "会議"], "庫", &[0]);
    check(&["ｶﾞｲﾄﾞ"], "ガイド", &[0]);
}

#[test]
fn spellings_of_one_word_are_one_word() {
    check(&["Ångström units", "metres"], "angstrom", &[0]);
    check(&["cafe\u{301}"], "caf\u{e9}", &[0]);
    check(&["Переезд в МОСКВУ"], "москву", &[0]);
    check(&["she deploys on Thursdays"], "deployed thursday", &[0]);
    check(&["it's C++ at 3 GB/s", "a grade of C"], "C++", &[0, 1]);
    check(&["it's C++ at 3 GB/s", "GB of disk"], "GB/s", &[0, 1]);
}

#[test]
fn the_rarest_word_wins_among_ten_thousand() {
    let mut dice = Dice(1);
    let mut texts: Vec<String> = (0..10_000).map(|_| dice.text(500, 20)).collect();
    texts.insert(6_000, "ticket QX-40217 closed by Ruo".to_owned());
    let view = memory();
    add(&view, &texts[..7_000]);
    view.commit().expect("a writable index");
    add(&view, &texts[7_000..]);
    assert_eq!(ids(&view, "QX-40217")[0], 6_000);
    assert_eq!(ids(&view, "who closed w1 ticket qx-40217?")[0], 6_000);
}

#[test]
fn the_fewer_hold_a_term_the_rarer_it_is() {
    let view = memory();
    add(&view, &owned(&["apple pear", "apple plum"]));
    view.commit().expect("a writable index");
    add(&view, &owned(&["apple fig", "plum"]));
    let rarities = |words| view.rarities(&TextQuery::new(words)).expect("it can be read");
    let found = rarities("kiwi plum apple pear");
    assert!(found[0] == 0.0 && found[2] > 0.0 && found[2] < found[1] && found[1] < found[3]);
    assert_eq!(rarities("kiwi"), [0.0]);
    assert_eq!(rarities("the"), [0.0; 0]);
}

#[test]
fn what_looks_like_syntax_is_text() {
    let texts = ["set field:x to back", "nothing here"];
    for query in ["field:x", "\"field\"", "field~", "(field", "-field", "`field` AND", "field*"] {
        check(&texts, query, &[0]);
    }
}

#[test]
fn a_query_of_nothing_says_so() {
    for (text, only_stop_words) in
        [("", false), ("_ ~ (", false), ("the of a", true), ("it's", true)]
    {
        let query = TextQuery::new(text);
        assert!(query.is_empty(), "{text:?}");
        assert_eq!(query.only_stop_words(), only_stop_words, "{text:?}");
    }
    assert!(!TextQuery::new("the ship").only_stop_words());
    check(&["the of a", ""], "the", &[]);
}

#[test]
fn the_rarest_terms_of_a_long_query_are_kept() {
    let numbered = |count: u32| (0..count).map(|number| format!("q{number}")).collect::<Vec<_>>();
    let view = memory();
    add(&view, &numbered(200));
    add(&view, &numbered(200));
    add(&view, &owned(&["rarest"]));
    let hits = search(&view, &(numbered(200).join(" ") + " rarest"), 500, &|_| true);
    assert_eq!(hits.terms_dropped, 201 - 64);
    assert_eq!(hits.hits.len(), 2 * 63 + 1);
    assert_eq!(hits.hits[0].0.raw(), 400);
    assert_eq!(TextQuery::new(&numbered(5_000).join(" ")).terms_dropped(), 5_000 - 1_024);
}

#[test]
fn only_visible_documents_are_found_and_counted() {
    let view = memory();
    add(&view, &owned(&["ship ship", "ship", "ship"]));
    let visible = |document: DocumentId| document.raw() > 0;
    let hits = search(&view, "ship", 1, &visible).hits;
    assert_eq!(hits.iter().map(|(document, _)| document.raw()).collect::<Vec<_>>(), [1]);
    assert!(search(&view, "ship", 0, &|_| true).hits.is_empty());
}

#[test]
#[should_panic(expected = "log gap before the text view")]
fn a_gap_is_refused() {
    memory().add(DocumentId::new(1), &entries(&owned(&["ship"])));
}

/// Every fourth text is a name. Searching the names is searching all and leaving out the rest, but for
/// how common a term is held to be.
#[test]
fn names_are_searched_apart() {
    let (view, mut dice) = (memory(), Dice(5));
    let texts: Vec<String> = (0..3_000).map(|_| dice.text(40, 6)).collect();
    let names: Vec<String> = texts.iter().step_by(4).cloned().collect();
    let mut all = entries(&texts);
    all.iter_mut().step_by(4).for_each(|entry| entry.is_name = true);
    view.add(view.next(), &all[..2_000]);
    view.commit().expect("a writable index");
    view.add(view.next(), &all[2_000..]);
    let counted = Counted::new(&names);
    for query in ["w0", "w1 w3", "w2 w17 w30", "nowhere"] {
        let seen = |document: DocumentId| !document.raw().is_multiple_of(3);
        let hits = view.search_names(&TextQuery::new(query), 10, &seen).expect("a readable index");
        let found: Vec<_> = hits.hits.iter().map(|(id, score)| (id.raw() / 4, *score)).collect();
        let expected = counted.best(query, 10, &|name| !(name.raw() * 4).is_multiple_of(3));
        let expected: Vec<_> = expected.iter().map(|(id, score)| (id.raw(), *score)).collect();
        assert_eq!(found, expected, "{query}");
    }
}
