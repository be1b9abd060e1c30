//! From a record to an operation, and what an empty cell says.

use serde_json::{Map, Value};

use crate::rpc::proto::{
    Assert, Bound, End, Evidence, Object, Operation, Retract, Triple, bound::Bound as BoundKind,
    operation::Operation as Kind, value::Value as Literal,
};

use super::super::{
    object, ops,
    time_text::{self, Side},
};
use super::{
    field::{FIELDS, Field},
    plan::{Column, Plan},
    source::Content,
};

impl Plan {
    /// The operation of a record, or why there is none.
    pub(crate) fn operation(&self, content: &Content) -> Result<Operation, String> {
        let row = Row { cells: self.cells(content)? };
        let triple = self.triple(&row)?;
        let kind = match row.text(Field::Op)?.map(str::to_ascii_lowercase).as_deref() {
            None | Some("assert") => Kind::Assert(self.assert(&row, triple)?),
            Some("end") => Kind::End(self.end(&row, triple)?),
            Some("retract") => Kind::Retract(self.retract(&row, triple)?),
            Some(word) => return Err(format!("op: {word:?} is none of assert, end, retract")),
        };
        Ok(Operation { operation: Some(kind) })
    }

    fn cells(&self, content: &Content) -> Result<[Cell; FIELDS.len()], String> {
        let mut cells: [Cell; FIELDS.len()] = Default::default();
        for binding in &self.bindings {
            let cell = match (&binding.column, content) {
                (Column::Place(place), Content::Cells(found)) => text_cell(&found[*place]),
                (Column::Key(key), Content::Json(map)) => json_cell(map, key, binding.mapped),
                (Column::Place(_), Content::Json(_)) | (Column::Key(_), Content::Cells(_)) => {
                    unreachable!("a plan is made for its source")
                }
            };
            let place = &mut cells[binding.field as usize];
            if cell == Cell::Unmapped {
                continue;
            }
            if *place != Cell::Unmapped {
                return Err(format!("it names {} twice", binding.field.name()));
            }
            *place = cell;
        }
        Ok(cells)
    }

    fn triple(&self, row: &Row) -> Result<Triple, String> {
        let subject = row.text(Field::Subject)?.ok_or("the subject is blank")?.to_owned();
        let predicate = match row.text(Field::Predicate)? {
            Some(name) => name.to_owned(),
            None if self.predicate.is_empty() => return Err("the predicate is blank".to_owned()),
            None => self.predicate.clone(),
        };
        Ok(Triple { subject, predicate, object: Some(row.object()?) })
    }

    fn assert(&self, row: &Row, triple: Triple) -> Result<Assert, String> {
        let at = row.text(Field::At)?;
        let from = match row.get(Field::ValidFrom) {
            // An event carries its own bounds.
            Cell::Empty if at.is_some() => None,
            Cell::Empty => Some(time_text::unbounded()),
            _ => row.bound(Field::ValidFrom, Side::Start, &self.zone)?,
        };
        let mut to = row.bound(Field::ValidTo, Side::End, &self.zone)?;
        let mut through = None;
        if let Some(text) = row.text(Field::ValidThrough)? {
            let bound = time_text::bound(text, Side::End, &self.zone)
                .map_err(|reason| format!("valid_through: {reason}"))?;
            match bound.bound {
                Some(BoundKind::Date(date)) => through = Some(date),
                _ if to.is_some() => return Err("it has a valid_to and a valid_through".to_owned()),
                _ => to = Some(bound),
            }
        }
        Ok(Assert {
            triple: Some(triple),
            from,
            at_least: !self.stated_ends && (to.is_some() || through.is_some()),
            to,
            through,
            r#override: false,
            deliberate: false,
            contested_against_ids: Vec::new(),
            evidence: self.evidence(row)?,
            at: at.map(|text| time_text::date(text, &self.zone)),
        })
    }

    /// An end stands in its `at`, or else in the column of ends.
    fn end(&self, row: &Row, triple: Triple) -> Result<End, String> {
        let field = if row.text(Field::At)?.is_some() { Field::At } else { Field::ValidTo };
        let at = row.bound(field, Side::End, &self.zone)?;
        Ok(End { triple: Some(triple), at, evidence: self.evidence(row)? })
    }

    fn retract(&self, row: &Row, triple: Triple) -> Result<Retract, String> {
        Ok(Retract {
            triple: Some(triple),
            from: row.bound(Field::ValidFrom, Side::Start, &self.zone)?,
            to: row.bound(Field::ValidTo, Side::End, &self.zone)?,
            evidence: self.evidence(row)?,
            ..Retract::default()
        })
    }

    fn evidence(&self, row: &Row) -> Result<Option<Evidence>, String> {
        let trust = match row.text(Field::Trust)? {
            None => self.trust,
            Some(word) => ops::trust(word).map_err(|reason| format!("trust: {reason}"))?.into(),
        };
        let evidence = Evidence {
            source: row.text(Field::Source)?.unwrap_or(&self.source).to_owned(),
            trust,
            confidence: row.confidence()?,
            statement: row.text(Field::Statement)?.unwrap_or_default().to_owned(),
            ..Evidence::default()
        };
        Ok((evidence != Evidence::default()).then_some(evidence))
    }
}

/// What one row says of one field.
#[derive(Clone, Debug, Default, PartialEq)]
enum Cell {
    /// There is no such column.
    #[default]
    Unmapped,
    Empty,
    Text(String),
    /// A JSON value that is not text.
    Json(Value),
}

struct Row {
    cells: [Cell; FIELDS.len()],
}

impl Row {
    fn get(&self, field: Field) -> &Cell {
        &self.cells[field as usize]
    }

    /// Text that is there.
    fn text(&self, field: Field) -> Result<Option<&str>, String> {
        match self.get(field) {
            Cell::Unmapped | Cell::Empty => Ok(None),
            Cell::Text(text) => Ok(Some(text)),
            Cell::Json(value) => Err(format!("{}: {value} is not text", field.name())),
        }
    }

    fn bound(&self, field: Field, side: Side, zone: &str) -> Result<Option<Bound>, String> {
        if let Cell::Json(Value::Number(number)) = self.get(field) {
            return Err(format!(
                "{}: a bare number ({number}) is no date: write it as a string such as \"2021-03-05\"",
                field.name()
            ));
        }
        self.text(field)?
            .map(|text| time_text::bound(text, side, zone))
            .transpose()
            .map_err(|reason| format!("{}: {reason}", field.name()))
    }

    fn object(&self) -> Result<Object, String> {
        let value = match self.get(Field::Value) {
            Cell::Unmapped | Cell::Empty => None,
            Cell::Text(text) => Some(object::literal(Literal::Text(text.clone()))),
            Cell::Json(value) => Some(object::from_json(value).map_err(|r| format!("value: {r}"))?),
        };
        let entity = match self.get(Field::Object) {
            Cell::Unmapped | Cell::Empty => None,
            Cell::Text(name) => Some(object::entity(name)),
            Cell::Json(value) => {
                Some(object::from_json(value).map_err(|r| format!("object: {r}"))?)
            }
        };
        match (entity, value) {
            (Some(_), Some(_)) => Err("it has an object and a value".to_owned()),
            (Some(object), None) | (None, Some(object)) => Ok(object),
            (None, None) => Err("the object is blank".to_owned()),
        }
    }

    fn confidence(&self) -> Result<Option<f32>, String> {
        let text = match self.get(Field::Confidence) {
            Cell::Json(value @ Value::Number(_)) => value.to_string(),
            _ => match self.text(Field::Confidence)? {
                None => return Ok(None),
                Some(text) => text.to_owned(),
            },
        };
        match text.parse::<f32>() {
            Ok(number) if number.is_finite() => Ok(Some(number)),
            _ => Err(format!("confidence: {text:?} is no number from 0 to 1")),
        }
    }
}

fn text_cell(text: &str) -> Cell {
    let text = text.trim();
    if text.is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) }
}

fn json_cell(map: &Map<String, Value>, key: &str, mapped: bool) -> Cell {
    match map.get(key) {
        None if mapped => Cell::Empty,
        None => Cell::Unmapped,
        Some(Value::Null) => Cell::Empty,
        Some(Value::String(text)) => text_cell(text),
        Some(value) => Cell::Json(value.clone()),
    }
}
