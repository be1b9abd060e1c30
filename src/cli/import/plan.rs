//! Which column is which field.

use super::super::{error::Error, ops};
use super::{
    args::ImportArgs,
    field::{FIELDS, Field, is_ambiguous},
};

/// A column bound to a field.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Binding {
    pub(super) column: Column,
    pub(super) field: Field,
    /// Asked for with --map, so that a JSON row without the key has an empty cell.
    pub(super) mapped: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Column {
    Place(usize),
    Key(String),
}

#[derive(Debug)]
pub(crate) struct Plan {
    pub(super) bindings: Vec<Binding>,
    pub(super) predicate: String,
    pub(super) source: String,
    pub(super) trust: i32,
    pub(super) zone: String,
    pub(super) stated_ends: bool,
    /// Columns that no field was found for.
    pub(crate) left_out: Vec<String>,
}

impl Plan {
    /// A plan for columns by place, or for the keys of JSON rows where there is no header.
    pub(crate) fn new(args: &ImportArgs, header: Option<&[String]>) -> Result<Plan, Error> {
        let mut plan = Plan {
            bindings: Vec::new(),
            predicate: args.predicate.clone().unwrap_or_default(),
            source: args.source.clone().unwrap_or_default(),
            trust: match args.trust.as_deref() {
                None => 0,
                Some(word) => ops::trust(word).map_err(Error::Usage)?.into(),
            },
            zone: args.zone.clone().unwrap_or_default(),
            stated_ends: args.stated_ends,
            left_out: Vec::new(),
        };
        for map in &args.maps {
            plan.bind_mapped(map, header)?;
        }
        match header {
            Some(header) => plan.bind_header(header, &args.ignored)?,
            None => plan.bind_keys(&args.ignored),
        }
        plan.check(header.is_some())?;
        Ok(plan)
    }

    fn bind_mapped(&mut self, map: &str, header: Option<&[String]>) -> Result<(), Error> {
        let (name, field) = map
            .rsplit_once('=')
            .ok_or_else(|| Error::usage(format!("--map {map:?} should be COLUMN=FIELD")))?;
        let field = Field::named(field)?;
        if self.bindings.iter().any(|binding| binding.field == field) {
            return Err(Error::usage(format!("--map gives two columns for {}", field.name())));
        }
        let column = match header {
            None => Column::Key(name.trim().to_owned()),
            Some(header) => {
                let mut places =
                    header.iter().enumerate().filter(|(_, known)| *known == name.trim());
                match (places.next(), places.next()) {
                    (Some((place, _)), None) => Column::Place(place),
                    (Some(_), Some(_)) => {
                        return Err(Error::usage(format!("the header has {name:?} twice")));
                    }
                    (None, _) => {
                        return Err(Error::usage(format!(
                            "--map: the header has no column {name:?}; it has {}",
                            header.join(", ")
                        )));
                    }
                }
            }
        };
        self.bindings.push(Binding { column, field, mapped: true });
        Ok(())
    }

    fn bind_header(&mut self, header: &[String], ignored: &[String]) -> Result<(), Error> {
        for (place, name) in header.iter().enumerate() {
            let column = Column::Place(place);
            if ignored.contains(name)
                || self.bindings.iter().any(|binding| binding.column == column)
            {
                continue;
            }
            if is_ambiguous(name) {
                return Err(Error::usage(format!(
                    "the column {name:?} could mean two things: say --map \"{name}=valid_from\", \
                     --map \"{name}=valid_to\" (exclusive), --map \"{name}=valid_through\" (inclusive), \
                     or --ignore \"{name}\""
                )));
            }
            match Field::of_column(name) {
                None => self.left_out.push(name.clone()),
                Some(field) => match self.bindings.iter().find(|binding| binding.field == field) {
                    None => self.bindings.push(Binding { column, field, mapped: false }),
                    Some(binding) if binding.mapped => self.left_out.push(name.clone()),
                    Some(_) => {
                        return Err(Error::usage(format!(
                            "two columns stand for {}: choose one with --map",
                            field.name()
                        )));
                    }
                },
            }
        }
        Ok(())
    }

    /// JSON rows: every field under each of its names, but for those that are mapped or ignored.
    fn bind_keys(&mut self, ignored: &[String]) {
        for (field, name, others) in FIELDS {
            if self.bindings.iter().any(|binding| binding.field == field && binding.mapped) {
                continue;
            }
            for key in std::iter::once(&name).chain(others) {
                let column = Column::Key((*key).to_owned());
                let taken = self.bindings.iter().any(|binding| binding.column == column);
                if !taken && !ignored.iter().any(|name| name == key) {
                    self.bindings.push(Binding { column, field, mapped: false });
                }
            }
        }
    }

    fn check(&self, header: bool) -> Result<(), Error> {
        if !header {
            return Ok(());
        }
        let has = |field| self.bindings.iter().any(|binding| binding.field == field);
        let missing = if !has(Field::Subject) {
            "a subject"
        } else if !has(Field::Predicate) && self.predicate.is_empty() {
            "a predicate (or say --predicate NAME)"
        } else if !has(Field::Object) && !has(Field::Value) {
            "an object or a value"
        } else {
            return Ok(());
        };
        Err(Error::usage(format!(
            "no column is {missing}: name it with --map COLUMN=FIELD; the header has {}",
            self.left_out.join(", ")
        )))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::{Value, json};

    use super::super::super::ops::transaction;
    use super::super::source::Content;
    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: ImportArgs,
    }

    fn plan(words: &str, header: Option<&str>) -> Result<Plan, Error> {
        let words = ["import", "f.csv"].into_iter().chain(words.split_whitespace());
        let header: Option<Vec<String>> =
            header.map(|text| text.split(',').map(str::to_owned).collect());
        Plan::new(&Line::parse_from(words).args, header.as_deref())
    }

    fn cells(text: &str) -> Content {
        Content::Cells(text.split(',').map(str::to_owned).collect())
    }

    /// The operation as `export` would write it.
    fn shown(plan: &Plan, content: &Content) -> Result<Value, String> {
        plan.operation(content)
            .map(|operation| transaction(0, None, &[operation])["ops"][0].clone())
    }

    #[test]
    fn rows_become_operations() {
        let cases = [
            (
                "",
                "subject,predicate,object,valid_from,valid_to",
                "a,p,b,2020,2021",
                json!({"op":"assert","s":"a","p":"p","o":"b","from":"2020","to":"2021","atleast":true}),
            ),
            (
                "",
                "s,p,o,from,to",
                "a,p,b,,",
                json!({"op":"assert","s":"a","p":"p","o":"b","from":"-inf"}),
            ),
            ("", "s,p,o", "a,p,b", json!({"op":"assert","s":"a","p":"p","o":"b"})),
            (
                "",
                "s,p,o,from,to",
                "a,p,b,-inf,inf",
                json!({"op":"assert","s":"a","p":"p","o":"b","from":"-inf","to":"inf","atleast":true}),
            ),
            (
                "--map start=valid_from --map end=valid_through --predicate works_at",
                "subject,object,start,end",
                "a,b,2020,2021",
                json!({"op":"assert","s":"a","p":"works_at","o":"b","from":"2020","through":"2021","atleast":true}),
            ),
            (
                "--stated-ends",
                "s,p,o,to",
                "a,p,b,2021",
                json!({"op":"assert","s":"a","p":"p","o":"b","to":"2021"}),
            ),
            ("", "s,p,o,to", "a,p,b,", json!({"op":"assert","s":"a","p":"p","o":"b"})),
            (
                "",
                "s,p,o,from,at",
                "a,p,b,,2021-03",
                json!({"op":"assert","s":"a","p":"p","o":"b","at":"2021-03"}),
            ),
            (
                "--source hr --zone Asia/Seoul",
                "s,p,value,from,confidence,trust",
                "a,p,blue,2020,0.5,confirmed",
                json!({"op":"assert","s":"a","p":"p","o":{"text":"blue"},"from":{"date":"2020","zone":"Asia/Seoul"},"source":"hr","trust":"confirmed","confidence":0.5}),
            ),
            (
                "",
                "s,p,o,to,op",
                "a,p,b,2021,end",
                json!({"op":"end","s":"a","p":"p","o":"b","at":"2021"}),
            ),
            (
                "",
                "s,p,o,from,op",
                "a,p,b,,retract",
                json!({"op":"retract","s":"a","p":"p","o":"b"}),
            ),
        ];
        for (words, header, row, expected) in cases {
            let plan = plan(words, Some(header)).unwrap();
            assert_eq!(shown(&plan, &cells(row)).unwrap(), expected, "{header} {row}");
        }
    }

    #[test]
    fn bad_rows_say_why() {
        let plan = plan("", Some("s,p,o,from,confidence")).unwrap();
        let cases = [
            (" ,p,b,,", "the subject is blank"),
            ("a,,b,,", "the predicate is blank"),
            ("a,p,,,", "the object is blank"),
            ("a,p,b,inf,", "valid_from: a start cannot be inf"),
            ("a,p,b,,high", "confidence: \"high\" is no number"),
        ];
        for (row, reason) in cases {
            let found = shown(&plan, &cells(row)).unwrap_err();
            assert!(found.starts_with(reason), "{found}");
        }
    }

    #[test]
    fn json_rows_keep_their_types() {
        let plan = plan("--map since=valid_from", None).unwrap();
        let row = |value: Value| match value {
            Value::Object(map) => Content::Json(map),
            _ => unreachable!("the rows of this test are objects"),
        };
        let found =
            shown(&plan, &row(json!({"s":"a","p":"age","o":7,"since":"2020","note":1}))).unwrap();
        assert_eq!(found, json!({"op":"assert","s":"a","p":"age","o":7,"from":"2020"}));
        let found =
            shown(&plan, &row(json!({"subject":"a","predicate":"age","value":7.5}))).unwrap();
        assert_eq!(found, json!({"op":"assert","s":"a","p":"age","o":7.5,"from":"-inf"}));
        let refused =
            shown(&plan, &row(json!({"s":"a","p":"p","o":"b","since":2020}))).unwrap_err();
        assert!(refused.contains("a bare number (2020) is no date"), "{refused}");
        assert!(shown(&plan, &row(json!({"s":"a","subject":"a","p":"p","o":"b"}))).is_err());
    }

    #[test]
    fn headers_that_cannot_be_read_one_way_are_refused() {
        let cases = [
            ("", "s,p,o,start", "could mean two things"),
            (
                "--map begin=valid_from",
                "s,p,o",
                "the header has no column \"begin\"; it has s, p, o",
            ),
            ("", "s,o", "no column is a predicate"),
            ("", "s,subject,p,o", "two columns stand for subject"),
            ("--map x=when", "s,p,o,x", "\"when\" is no field"),
        ];
        for (words, header, message) in cases {
            let found = plan(words, Some(header)).unwrap_err().to_string();
            assert!(found.contains(message), "{found}");
        }
        assert_eq!(plan("--ignore start", Some("s,p,o,start,note")).unwrap().left_out, ["note"]);
    }
}
