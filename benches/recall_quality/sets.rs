//! The data sets as passages, facts and questions.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use flate2::read::GzDecoder;
use serde_json::Value;
use tenure::rpc::proto;
use tenure::rpc::proto::operation::Operation as Kind;

/// A text, and what it is called in the questions.
pub(crate) struct Passage {
    pub(crate) title: String,
    pub(crate) text: String,
}

impl Passage {
    pub(crate) fn episode(&self) -> proto::AddEpisode {
        let bound = Some(proto::bound::Bound::Unbounded(proto::Unbounded {}));
        proto::AddEpisode {
            kind: proto::EpisodeKind::Passage.into(),
            text: self.text.clone(),
            title: self.title.clone(),
            from: Some(proto::Bound { bound, ..Default::default() }),
            ..Default::default()
        }
    }
}

/// What an answer must hold.
pub(crate) enum Gold {
    /// One of these texts.
    AnyText(BTreeSet<String>),
    /// As many as can be of these objects of the subject.
    Objects { subject: String, objects: BTreeSet<String> },
}

pub(crate) struct Question {
    pub(crate) words: String,
    pub(crate) as_of: Option<proto::AsOf>,
    pub(crate) gold: Gold,
}

impl Question {
    /// The share of the gold among the first hits.
    pub(crate) fn recall(&self, hits: &[proto::Hit], at: usize) -> f64 {
        let first = hits.iter().take(at);
        match &self.gold {
            Gold::AnyText(texts) => {
                f64::from(u8::from(first.into_iter().any(|hit| texts.contains(&hit.text))))
            }
            Gold::Objects { subject, objects } => {
                let held = first.filter_map(|hit| hit.fact.as_ref());
                let held = held.filter(|fact| fact.subject == *subject);
                let held: BTreeSet<String> = held.filter_map(object).collect();
                #[expect(clippy::cast_precision_loss, reason = "a number of answers")]
                let share = held.intersection(objects).count() as f64 / objects.len() as f64;
                share
            }
        }
    }
}

fn object(fact: &proto::Rectangle) -> Option<String> {
    match fact.object.as_ref()?.object.as_ref()? {
        proto::object::Object::Entity(name) => Some(name.clone()),
        proto::object::Object::Value(_) => None,
    }
}

pub(crate) struct Set {
    pub(crate) name: &'static str,
    pub(crate) passages: Vec<Passage>,
    pub(crate) facts: Vec<proto::Operation>,
    pub(crate) questions: Arc<Vec<Question>>,
}

impl Set {
    pub(crate) fn all(folder: &Path) -> Vec<Set> {
        vec![
            korquad(folder),
            time_qa(folder),
            as_of(folder, "yago11k"),
            as_of(folder, "wikidata12k"),
        ]
    }
}

fn open(path: &Path) -> BufReader<GzDecoder<File>> {
    BufReader::new(GzDecoder::new(File::open(path).expect("the data set is there")))
}

fn lines(path: &Path) -> impl Iterator<Item = String> {
    open(path).lines().map(|line| line.expect("text"))
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn korquad(folder: &Path) -> Set {
    let mut file = String::new();
    let path = folder.join("korquad1-dev/KorQuAD_v1.0_dev.json.gz");
    open(&path).read_to_string(&mut file).expect("text");
    let all: Value = serde_json::from_str(&file).expect("JSON");
    let mut passages: HashMap<String, usize> = HashMap::new();
    let mut texts = Vec::new();
    let mut questions = Vec::new();
    for paragraph in list(&all["data"]).iter().flat_map(|article| list(&article["paragraphs"])) {
        let context = text(&paragraph["context"]);
        passages.entry(context.clone()).or_insert_with(|| {
            texts.push(Passage { title: String::new(), text: context.clone() });
            texts.len()
        });
        for question in list(&paragraph["qas"]) {
            questions.push(Question {
                words: text(&question["question"]),
                as_of: None,
                gold: Gold::AnyText(BTreeSet::from([context.clone()])),
            });
        }
    }
    Set { name: "korquad", passages: texts, facts: Vec::new(), questions: Arc::new(questions) }
}

/// Questions that no paragraph answers are left out.
fn time_qa(folder: &Path) -> Set {
    let mut passages = Vec::new();
    let mut questions = Vec::new();
    for line in lines(&folder.join("tsqa-human/test.jsonl.gz")) {
        let article: Value = serde_json::from_str(&line).expect("JSON");
        let paragraphs: Vec<String> = list(&article["paras"]).iter().map(text).collect();
        for question in list(&article["questions"]) {
            let answers = list(&question[1]).iter();
            let answers = answers.filter(|answer| answer["answer"].as_str() != Some(""));
            let texts: BTreeSet<String> = answers
                .filter_map(|answer| usize::try_from(answer["para"].as_u64()?).ok())
                .map(|place| paragraphs[place].clone())
                .collect();
            if !texts.is_empty() {
                let words = text(&question[0]);
                questions.push(Question { words, as_of: None, gold: Gold::AnyText(texts) });
            }
        }
        let texts = paragraphs.into_iter().filter(|paragraph| !paragraph.trim().is_empty());
        passages.extend(texts.map(|text| Passage { title: String::new(), text }));
    }
    Set { name: "timeqa", passages, facts: Vec::new(), questions: Arc::new(questions) }
}

fn as_of(folder: &Path, source: &'static str) -> Set {
    let mut facts = Vec::new();
    for part in ["train", "valid", "test"] {
        let path = folder.join(source).join(format!("{part}.tsv.gz"));
        let mut rows = lines(&path);
        let head: Vec<String> =
            rows.next().expect("a head").split('\t').map(str::to_owned).collect();
        let place = |name| head.iter().position(|column| column == name).expect("a column");
        let [subject, predicate, object, start, end] =
            ["subject", "predicate", "object", "start", "end"].map(place);
        for row in rows {
            let cells: Vec<&str> = row.split('\t').collect();
            facts.push(fact(
                cells[subject],
                cells[predicate],
                cells[object],
                cells[start],
                cells[end],
            ));
        }
    }
    let mut questions = Vec::new();
    for line in lines(&folder.join("asof-questions/questions.jsonl.gz")) {
        let question: Value = serde_json::from_str(&line).expect("JSON");
        let objects: BTreeSet<String> = list(&question["answers"]).iter().map(text).collect();
        if question["source"].as_str() != Some(source) || objects.is_empty() {
            continue;
        }
        let date = proto::CivilDate { text: text(&question["as_of"]), ..Default::default() };
        let point = Some(proto::valid_point::Point::Date(date));
        let valid = Some(proto::ValidPoint { point, ..Default::default() });
        questions.push(Question {
            words: text(&question["question"]),
            as_of: Some(proto::AsOf { valid, known: None }),
            gold: Gold::Objects { subject: text(&question["subject"]), objects },
        });
    }
    Set { name: source, passages: Vec::new(), facts, questions: Arc::new(questions) }
}

/// A row of the sets, where ends are seen and not stated.
fn fact(subject: &str, predicate: &str, object: &str, start: &str, end: &str) -> proto::Operation {
    let date = |text: &str| proto::CivilDate { text: text.to_owned(), ..Default::default() };
    let from = if start.is_empty() {
        proto::bound::Bound::Unbounded(proto::Unbounded {})
    } else {
        proto::bound::Bound::Date(date(start))
    };
    let object = proto::Object { object: Some(proto::object::Object::Entity(object.to_owned())) };
    let assert = proto::Assert {
        triple: Some(proto::Triple {
            subject: subject.to_owned(),
            predicate: predicate.to_owned(),
            object: Some(object),
        }),
        from: Some(proto::Bound { bound: Some(from), ..Default::default() }),
        through: (!end.is_empty()).then(|| date(end)),
        at_least: !end.is_empty(),
        ..Default::default()
    };
    proto::Operation { operation: Some(Kind::Assert(assert)) }
}
