//! Messages and bytes by chance.

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, Value};

/// Messages inside messages, at most.
const DEPTH_MAX: u32 = 4;
/// From this number on there is none in any enum.
const NO_ENUM: i32 = 1_000;

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).expect("a small number");
        usize::try_from(self.roll() % bound).expect("a small number")
    }

    pub(crate) fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.roll().to_le_bytes()[0]
    }

    pub(crate) fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most + 1)).map(|_| self.byte()).collect()
    }

    /// One to four changes of some bytes: set, inserted, cut off, repeated, an enormous number.
    pub(crate) fn mutate(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            let place = self.below(bytes.len() + 1);
            match self.below(5) {
                0 if place < bytes.len() => bytes[place] = self.byte(),
                1 => bytes.insert(place, self.byte()),
                2 if self.one_in(4) => bytes.truncate(place),
                3 => {
                    let end = (place + self.below(32)).min(bytes.len());
                    let part = bytes[place..end].to_vec();
                    bytes.splice(place..place, part);
                }
                _ => drop(bytes.splice(place..place, [0xFF, 0xFF, 0xFF, 0xFF, 0x0F])),
            }
        }
    }

    pub(crate) fn text(&mut self) -> String {
        const TEXTS: [&str; 24] = [
            "",
            " ",
            "ann",
            "bob",
            "head",
            "member",
            "2020",
            "2020-02-30",
            "2020-13",
            "now",
            "9999999-01-01",
            "2020-01-01T25:00:00Z",
            "-262000",
            "Asia/Seoul",
            "UTC",
            "Mars/Base",
            "\u{d55c}\u{ae00}",
            "\u{202e}abc",
            "a\u{0}b",
            "\n\t",
            "1.1",
            "18446744073709551616",
            "e1",
            "\u{1f600}",
        ];
        match self.below(12) {
            0 => "x".repeat(self.below(3_000)),
            1 => "0.0".to_owned(),
            2 | 3 => "default".to_owned(),
            _ => TEXTS[self.below(TEXTS.len())].to_owned(),
        }
    }

    fn number(&mut self) -> i64 {
        const EDGES: [i64; 9] = [0, 1, -1, 2, 100, 10_000, 10_001, i64::MAX, i64::MIN];
        if self.one_in(3) { self.roll().cast_signed() } else { EDGES[self.below(EDGES.len())] }
    }

    fn fraction(&mut self) -> f64 {
        const EDGES: [f64; 9] =
            [0.0, -0.0, 0.5, 1.0, 1.000_1, -1.0, f64::NAN, f64::INFINITY, f64::MAX];
        EDGES[self.below(EDGES.len())]
    }

    /// A message of which about half of the fields are set.
    pub(crate) fn message(&mut self, kind: &MessageDescriptor, depth: u32) -> DynamicMessage {
        let mut message = DynamicMessage::new(kind.clone());
        for field in kind.fields() {
            let is_named = field.name() == "namespace";
            if !is_named && self.one_in(2) {
                continue;
            }
            if let Some(value) = self.field(&field, depth) {
                message.set_field(&field, value);
            }
        }
        if kind.get_field_by_name("namespace").is_some() && !self.one_in(6) {
            message.set_field_by_name("namespace", Value::String("default".to_owned()));
        }
        message
    }

    fn field(&mut self, field: &FieldDescriptor, depth: u32) -> Option<Value> {
        if field.is_map() {
            let key = MapKey::String(self.text());
            let kind = field.kind();
            let value = kind.as_message()?.map_entry_value_field();
            let value = self.one(&value, depth)?;
            return Some(Value::Map([(key, value)].into()));
        }
        if field.is_list() {
            let count = self.below(4);
            return Some(Value::List((0..count).filter_map(|_| self.one(field, depth)).collect()));
        }
        self.one(field, depth)
    }

    fn one(&mut self, field: &FieldDescriptor, depth: u32) -> Option<Value> {
        let narrow = |number: i64| i32::try_from(number).unwrap_or(i32::MIN);
        Some(match field.kind() {
            Kind::Message(_) if depth >= DEPTH_MAX => return None,
            Kind::Message(kind) => Value::Message(self.message(&kind, depth + 1)),
            Kind::Enum(_) if self.one_in(8) => {
                Value::EnumNumber(narrow(self.number()).max(NO_ENUM))
            }
            Kind::Enum(kind) => {
                let place = self.below(kind.values().count());
                Value::EnumNumber(kind.values().nth(place).map_or(0, |value| value.number()))
            }
            Kind::String => Value::String(self.text()),
            Kind::Bytes => Value::Bytes(self.bytes(64).into()),
            Kind::Bool => Value::Bool(self.one_in(2)),
            Kind::Double => Value::F64(self.fraction()),
            #[expect(clippy::cast_possible_truncation, reason = "any number will do")]
            Kind::Float => Value::F32(self.fraction() as f32),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(narrow(self.number())),
            Kind::Uint32 | Kind::Fixed32 => Value::U32(narrow(self.number()).cast_unsigned()),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(self.number()),
            Kind::Uint64 | Kind::Fixed64 => Value::U64(self.number().cast_unsigned()),
        })
    }
}
