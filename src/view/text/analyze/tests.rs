use super::{Use, analyze};

/// The tokens that documents and queries share, in order.
fn shared(text: &str) -> Vec<String> {
    let tokens = analyze(text).tokens.into_iter();
    tokens.filter(|token| token.used == Use::Both).map(|token| token.text).collect()
}

fn check(text: &str, expected: &str) {
    assert_eq!(shared(text).join(" "), expected, "{text:?}");
}

#[test]
fn english_words_lose_case_endings_and_possessives() {
    check("The deployments were running", "deploy run");
    check("Ruo's cats' toys", "ruo cat toy");
    check("it’s O'Brien", "obrien brien");
    check("ＦＵＬＬ width", "full width");
    check("Straße", "strass");
}

#[test]
fn marks_go_from_letters_and_stay_on_syllables() {
    check("Ångström", "angstrom");
    check("caf\u{e9} cafe\u{301} cafe", "cafe cafe cafe");
    check("МОСКВА Ёлка ΟΔΟΣ", "москва елка οδοσ");
    check("がか", "がか");
    check("ｶﾞｲﾄﾞ", "ガイ イド");
    check("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", "한글");
}

#[test]
fn identifiers_stand_whole_and_in_parts() {
    check("QX-40217", "qx-40217 qx 40217");
    check("foo_bar", "foo_bar foo bar");
    check("C++ / GB/s, C# c++.", "c++ c gb/s gb s c# c c++ c");
    check("v1.2.3", "v1.2.3 v1 2 3");
    check(
        "QueryParser HTTPServer GPT4 iPhone",
        "querypars queri parser httpserver http server gpt4 gpt 4 iphon phone",
    );
    check("ruo@example.com", "ruo@example.com example.com ruo exampl com");
    check("https://a.io/x_y?q=1", "https://a.io/x_y?q=1 a.io x_y https io x y q 1");
    check("1,200,000 or 1,2", "1200000 1 2");
}

#[test]
fn hangul_gives_pairs_of_the_bare_word() {
    check("배포는 목요일", "배포 목요 요일");
    check("회의록을", "회의 의록");
    check("고양이를 고양이", "고양 양이 고양");
    check("서울에서는 집에도", "서울 집에 에도 집");
    check("API를 3월에", "api 3 월에 월");
    check("집을 비", "집을 집 비");
}

#[test]
fn single_characters_are_for_documents_only() {
    check("旧倉庫", "旧倉 倉庫");
    let all: Vec<String> =
        analyze("旧倉庫 비가").tokens.into_iter().map(|token| token.text).collect();
    assert_eq!(all.join(" "), "旧倉 倉庫 旧 倉 庫 비가 비");
}

#[test]
fn nothing_is_syntax_and_nothing_fails() {
    for empty in ["", " ", "_", "\"", "(", "~", "\\", "*", "+", "''", "\u{fe0f}", "\u{200d}", "\0"]
    {
        check(empty, "");
        assert_eq!(analyze(empty).stop_words, 0, "{empty:?}");
    }
    check("field:x `back` a AND", "field:x field x back");
    check("👍🏽 ☕\u{fe0f}", "👍 ☕");
    assert_eq!(analyze("the of a").stop_words, 3);
}

#[test]
fn an_endless_word_is_cut() {
    check(&"x".repeat(10_000), &"x".repeat(128));
    check(&"é-".repeat(5_000), &vec!["e"; 5_000].join(" "));
    let tokens = analyze(&"한".repeat(10_000)).tokens;
    assert!(tokens.iter().all(|token| token.text.len() <= 128));
}
