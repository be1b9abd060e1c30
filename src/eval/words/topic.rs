//! What can be said, and the talk around it, in one language.

/// Something that can be said of a subject, and asked in other words.
pub(in crate::eval) struct Topic {
    pub(in crate::eval) subjects: &'static [&'static str],
    /// At least two for each subject where it can change, else one. None stands in any other text.
    pub(in crate::eval) values: &'static [&'static str],
    /// `{s}` is the subject, `{v}` the value.
    pub(in crate::eval) told: &'static [&'static str],
    /// How it is said that another value took the place. None: it never changes.
    pub(in crate::eval) changed: &'static [&'static str],
    pub(in crate::eval) asked: &'static [&'static str],
}

pub(in crate::eval) struct Words {
    pub(in crate::eval) topics: &'static [Topic],
    pub(in crate::eval) greetings: &'static [&'static str],
    pub(in crate::eval) thanks: &'static [&'static str],
    /// Put before some statements.
    pub(in crate::eval) leads: &'static [&'static str],
    /// What a user says beside the matter; some name a subject.
    pub(in crate::eval) chatter: &'static [&'static str],
    /// What the assistant says.
    pub(in crate::eval) replies: &'static [&'static str],
}

/// They are called the same in every language.
pub(super) const DATABASES: &[&str] = &[
    "redb",
    "SQLite",
    "Postgres",
    "MySQL",
    "MariaDB",
    "MongoDB",
    "Cassandra",
    "DynamoDB",
    "Redis",
    "RocksDB",
    "CockroachDB",
    "ClickHouse",
    "DuckDB",
    "Neo4j",
    "Spanner",
    "TiDB",
    "Couchbase",
    "Firebird",
    "InfluxDB",
    "ScyllaDB",
];
