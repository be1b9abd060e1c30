use super::super::TextDifference::{Document, Length, Name, Term};
use super::super::{TextDifference, TextView};
use super::support::{add, entries, memory, owned};
use crate::types::DocumentId;

fn id(raw: u32) -> DocumentId {
    DocumentId::new(raw)
}

fn term(term: &str, document: u32, expected: Option<u32>, found: Option<u32>) -> TextDifference {
    Term { term: term.to_owned(), document: id(document), expected, found }
}

/// Some documents in segments, some in the tail.
fn view() -> TextView {
    let view = memory();
    add(&view, &owned(&["red ship", "blue boat"]));
    view.commit().expect("a writable index");
    add(&view, &owned(&["red red house"]));
    view
}

fn check(texts: &[&str], expected: &[TextDifference]) {
    let texts = (0..).map(id).zip(entries(&owned(texts)));
    let found = view().difference(|_| texts).expect("a readable index");
    assert_eq!(found.first, expected);
    assert_eq!(found.count, expected.len());
}

#[test]
fn the_same_texts_make_no_difference() {
    check(&["red ship", "blue boat", "red red house"], &[]);
}

#[test]
fn an_altered_document_is_found() {
    check(
        &["red ship", "green boat", "red red house"],
        &[term("blue", 1, None, Some(1)), term("green", 1, Some(1), None)],
    );
    check(
        &["red ship", "blue boat", "red house"],
        &[Length { document: id(2), expected: 2, found: 3 }, term("red", 2, Some(1), Some(2))],
    );
}

#[test]
fn a_missing_document_is_found() {
    check(
        &["red ship", "blue boat", "red red house", "tree"],
        &[Document { document: id(3), expected: 1, found: 0 }, term("tree", 3, Some(1), None)],
    );
}

#[test]
fn a_document_that_should_not_be_is_found() {
    check(
        &["red ship", "blue boat"],
        &[
            Document { document: id(2), expected: 0, found: 1 },
            term("hous", 2, None, Some(1)),
            term("red", 2, None, Some(2)),
        ],
    );
}

#[test]
fn past_a_few_differences_are_only_counted() {
    let texts = (0..).map(id).zip(entries(&vec!["tree".to_owned(); 20]));
    let found = view().difference(|_| texts).expect("a readable index");
    assert_eq!(found.first.len(), 8);
    assert!(found.count > 20);
}

#[test]
fn a_name_listed_as_a_text_is_found() {
    let mut wanted = entries(&owned(&["red ship", "blue boat", "red red house"]));
    wanted[1].is_name = true;
    let found = view().difference(|_| (0..).map(id).zip(wanted)).expect("a readable index");
    let name = |term: &str| Name {
        term: term.to_owned(),
        document: id(1),
        expected: Some(1),
        found: None,
    };
    assert_eq!(found.first, [name("blue"), name("boat")]);
}
