//! The static model against what its makers computed.

use serde::Deserialize;

use crate::models::StaticModel;
use crate::types::limits::MODEL_TEXT_BYTES_MAX;

#[derive(Deserialize)]
struct Golden {
    text: String,
    token_ids: Vec<u32>,
    first8: Vec<f32>,
}

fn similar(a: &str, b: &str) -> f32 {
    let model = StaticModel::shared();
    let [a, b] = [a, b].map(|text| model.embed(text).expect("known words"));
    a.numbers().iter().zip(b.numbers()).map(|(a, b)| a * b).sum()
}

#[test]
fn vectors_are_those_of_the_makers() {
    let golden = include_str!("../../../models/enko-static-256/golden.json");
    let golden: Vec<Golden> = serde_json::from_str(golden).expect("golden texts");
    assert_eq!(golden.len(), 5);
    for Golden { text, token_ids, first8 } in golden {
        let model = StaticModel::shared();
        assert_eq!(model.ids(&text), token_ids, "{text}");
        let vector = model.embed(&text).expect("known words");
        assert_eq!(vector.dimension(), StaticModel::DIMENSION);
        assert_eq!(first8.len(), 8);
        for (number, expected) in vector.numbers().iter().zip(&first8) {
            assert!((number - expected).abs() < 1e-5, "{text}: {number} for {expected}");
        }
    }
}

#[test]
fn tokens_add_up_however_often_they_were_counted() {
    let model = StaticModel::shared();
    let texts = [
        "",
        " ",
        "user: I live in Seoul. And you?\nNo, 3.5 km away (by bus), so: maybe!\n",
        "지민: 저는 부산에 살아요. 회의는 3.5시간입니다…  네, 알겠습니다.",
        "\u{3000}全角 ＡＢＣ。 e\u{301}x 👩‍👩‍👧, x\u{a0}y",
    ];
    for text in texts.into_iter().chain(texts) {
        assert_eq!(model.count_tokens(text), model.ids(text.trim_start()).len(), "{text:?}");
    }
}

#[test]
fn what_the_model_does_not_know_has_no_direction() {
    for text in ["", "  \n", "\u{200b}", "ᚠᚢᚦ ᚠᚢᚦ"] {
        assert_eq!(StaticModel::shared().embed(text), None, "{text:?}");
    }
}

#[test]
fn related_texts_are_nearer() {
    for (a, near, far) in [
        (
            "the company hired a new director",
            "the firm appointed a manager",
            "rain fell on the hills",
        ),
        ("회사가 새 이사를 채용했다", "기업이 관리자를 임명했다", "언덕에 비가 내렸다"),
    ] {
        assert!(similar(a, near) > similar(a, far) + 0.1, "{a}");
    }
}

#[test]
fn a_long_text_is_read_up_to_the_bound_and_no_character_is_cut() {
    let model = StaticModel::shared();
    let unit = "회사 ";
    let filled = unit.repeat(MODEL_TEXT_BYTES_MAX / unit.len());
    let inside = MODEL_TEXT_BYTES_MAX - filled.len();
    let rest = "!".repeat(inside);
    let start = format!("{filled}{rest}");
    assert_eq!(start.len(), MODEL_TEXT_BYTES_MAX);
    let longer = model.embed(&format!("{start} rain on the hills").repeat(2));
    assert_eq!(longer, model.embed(&start));
    let odd = format!("x{filled}");
    assert!(model.embed(&odd.repeat(2)).is_some(), "the bound falls inside a character");
}
