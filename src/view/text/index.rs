//! The index of tantivy: its schema, its commits, and what it takes to trust one found on disk.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use tantivy::directory::{Directory, MmapDirectory};
use tantivy::indexer::IndexWriterOptions;
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};
use tantivy::{
    Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher, TantivyDocument,
    TantivyError,
};

use crate::types::limits::TEXT_INDEXING_BYTES;
use crate::types::{Cipher, DocumentId};

use super::analyze::VERSION;
use super::encrypted::EncryptedDirectory;
use super::error::TextError;
use super::list::{Counts, Listed};
use super::segment::Segment;
use super::tail::Piece;

/// Ends each term in the body of a document. No term has it inside.
pub(super) const TERM_END: char = '\0';
pub(super) const DOCUMENT: &str = "document";
const BODY: &str = "body";
const NAME: &str = "name";
const TOKENIZER: &str = "terms";

/// Why the index on disk was not taken as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rebuilt {
    /// There was none.
    Missing,
    /// It belongs to another namespace, or was made by another analysis.
    Foreign,
    /// It does not add up.
    Damaged,
}

#[derive(Clone, Copy)]
pub(super) struct Fields {
    /// The terms of every document.
    pub(super) body: Field,
    /// The terms of those that are a name.
    pub(super) name: Field,
    pub(super) document: Field,
}

/// The index and, from the first commit on, its writer.
pub(super) struct Disk {
    index: Index,
    fields: Fields,
    reader: IndexReader,
    writer: Option<IndexWriter>,
    identity: [u8; 16],
}

/// The documents of one commit, opened for reading.
pub(super) struct Committed {
    pub(super) segments: Vec<Arc<Segment>>,
    pub(super) next: DocumentId,
    /// What the documents of each list have in common.
    pub(super) counts: [Counts; 2],
    /// Keeps the files of the segments from being removed after a merge.
    _searcher: Searcher,
}

impl Disk {
    pub(super) fn in_memory(identity: [u8; 16]) -> Result<(Disk, Committed), TextError> {
        let (schema, fields) = schema();
        Disk::fresh(Index::create_in_ram(schema), fields, identity)
    }

    /// Takes the index of a directory if it can be trusted, else makes an empty one in its place.
    pub(super) fn open(
        directory: &Path,
        identity: [u8; 16],
        cipher: Option<&Arc<dyn Cipher>>,
    ) -> Result<(Disk, Committed, Option<Rebuilt>), TextError> {
        let reason = match Disk::load(directory, identity, cipher) {
            Ok((disk, committed)) => return Ok((disk, committed, None)),
            Err(reason) => reason,
        };
        if directory.exists() {
            fs::remove_dir_all(directory)?;
        }
        fs::create_dir_all(directory)?;
        let (schema, fields) = schema();
        let files = files(directory, cipher)?;
        let index = Index::create(files, schema, IndexSettings::default())?;
        let (disk, committed) = Disk::fresh(index, fields, identity)?;
        Ok((disk, committed, Some(reason)))
    }

    fn fresh(
        index: Index,
        fields: Fields,
        identity: [u8; 16],
    ) -> Result<(Disk, Committed), TextError> {
        let disk = Disk::over(index, fields, identity)?;
        let committed = disk.read(DocumentId::new(0), &[])?;
        Ok((disk, committed))
    }

    fn load(
        directory: &Path,
        identity: [u8; 16],
        cipher: Option<&Arc<dyn Cipher>>,
    ) -> Result<(Disk, Committed), Rebuilt> {
        if !directory.join("meta.json").exists() {
            return Err(Rebuilt::Missing);
        }
        let damaged = |_| Rebuilt::Damaged;
        let files = files(directory, cipher).map_err(|_| Rebuilt::Damaged)?;
        let index = Index::open(files).map_err(damaged)?;
        let (schema, fields) = schema();
        if index.schema() != schema {
            return Err(Rebuilt::Foreign);
        }
        let payload = index.load_metas().map_err(damaged)?.payload.ok_or(Rebuilt::Missing)?;
        let next = read_payload(&payload, identity)?;
        check_files(&index, directory).map_err(|_| Rebuilt::Damaged)?;
        let disk = Disk::over(index, fields, identity).map_err(|_| Rebuilt::Damaged)?;
        let committed = disk.read(next, &[]).map_err(|_| Rebuilt::Damaged)?;
        Ok((disk, committed))
    }

    fn over(index: Index, fields: Fields, identity: [u8; 16]) -> Result<Disk, TextError> {
        index.tokenizers().register(TOKENIZER, TextAnalyzer::from(Terms::default()));
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(Disk { index, fields, reader, writer: None, identity })
    }

    /// Writes the documents of the tail and says that the index goes up to `next`.
    pub(super) fn commit(
        &mut self,
        pieces: &[Arc<Piece>],
        next: DocumentId,
        before: &Committed,
    ) -> Result<Committed, TextError> {
        if self.writer.is_none() {
            let options = IndexWriterOptions::builder()
                .num_worker_threads(1)
                .num_merge_threads(1)
                .memory_budget_per_thread(TEXT_INDEXING_BYTES)
                .build();
            self.writer = Some(self.index.writer_with_options(options)?);
        }
        let writer = self.writer.as_mut().expect("it was just opened");
        for (document, body, is_name) in pieces.iter().flat_map(|piece| piece.bodies()) {
            let mut row = TantivyDocument::new();
            row.add_u64(self.fields.document, document.raw().into());
            row.add_text(self.fields.body, body);
            if is_name {
                row.add_text(self.fields.name, body);
            }
            writer.add_document(row)?;
        }
        let mut prepared = writer.prepare_commit()?;
        prepared.set_payload(&write_payload(self.identity, next));
        prepared.commit()?;
        self.refresh(next, before)
    }

    /// Reads what is committed, merged as far as it is by now.
    pub(super) fn refresh(
        &self,
        next: DocumentId,
        before: &Committed,
    ) -> Result<Committed, TextError> {
        self.reader.reload()?;
        self.read(next, &before.segments)
    }

    /// A segment never changes, so one that is open stays so.
    fn read(&self, next: DocumentId, open: &[Arc<Segment>]) -> Result<Committed, TextError> {
        let searcher = self.reader.searcher();
        let mut segments = Vec::with_capacity(searcher.segment_readers().len());
        for reader in searcher.segment_readers() {
            segments.push(match open.iter().find(|segment| segment.id() == reader.segment_id()) {
                Some(segment) => Arc::clone(segment),
                None => Arc::new(Segment::open(reader, self.fields)?),
            });
        }
        segments.sort_by_key(|segment| segment.first());
        let documents: u64 = segments.iter().map(|segment| u64::from(segment.len())).sum();
        if documents != u64::from(next.raw()) {
            let wrong = format!("{documents} documents instead of {}", next.raw());
            return Err(TantivyError::InternalError(wrong).into());
        }
        let counts = [Listed::All, Listed::Names]
            .map(|listed| segments.iter().map(|segment| segment.list(listed).counts()).sum());
        Ok(Committed { segments, next, counts, _searcher: searcher })
    }
}

/// The files of the index, as they are or encrypted.
fn files(
    directory: &Path,
    cipher: Option<&Arc<dyn Cipher>>,
) -> Result<Box<dyn Directory>, TextError> {
    match cipher {
        Some(cipher) => Ok(Box::new(EncryptedDirectory::new(directory, Arc::clone(cipher)))),
        None => {
            let opened = MmapDirectory::open(directory).map_err(TantivyError::from)?;
            Ok(Box::new(opened))
        }
    }
}

fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqs)
        .set_fieldnorms(true);
    let text = TextOptions::default().set_indexing_options(indexing);
    let body = schema.add_text_field(BODY, text.clone());
    let name = schema.add_text_field(NAME, text);
    let document = schema.add_u64_field(DOCUMENT, FAST);
    (schema.build(), Fields { body, name, document })
}

/// Every file of every segment still has the checksum it was written with. A file that is missing
/// shows when the segment is opened.
fn check_files(index: &Index, directory: &Path) -> Result<(), TextError> {
    let segments = index.searchable_segment_ids()?;
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        let Some(name) = name.to_str() else { continue };
        let belongs = segments.iter().any(|segment| name.starts_with(&segment.uuid_string()));
        let is_whole = !belongs || index.directory().validate_checksum(Path::new(name))?;
        if !is_whole {
            return Err(TantivyError::InternalError(format!("{name} is damaged")).into());
        }
    }
    Ok(())
}

/// `version identity next checksum`, each in hexadecimal.
fn write_payload(identity: [u8; 16], next: DocumentId) -> String {
    let text = format!("{VERSION:x} {:032x} {:x}", u128::from_be_bytes(identity), next.raw());
    format!("{text} {:08x}", crc32fast::hash(text.as_bytes()))
}

fn read_payload(payload: &str, identity: [u8; 16]) -> Result<DocumentId, Rebuilt> {
    let words: Vec<&str> = payload.split(' ').collect();
    let [version, owner, next, _] = words[..] else { return Err(Rebuilt::Damaged) };
    let next = u32::from_str_radix(next, 16).map_err(|_| Rebuilt::Damaged)?;
    let next = DocumentId::new(next);
    let expected = write_payload(identity, next);
    if payload == expected {
        return Ok(next);
    }
    let own: Vec<&str> = expected.split(' ').collect();
    Err(if [version, owner] == own[..2] { Rebuilt::Damaged } else { Rebuilt::Foreign })
}

/// Takes a body apart where its terms end: the analysis is done already.
#[derive(Clone, Default)]
struct Terms {
    token: Token,
}

struct TermStream<'a> {
    rest: &'a str,
    token: &'a mut Token,
}

impl Tokenizer for Terms {
    type TokenStream<'a> = TermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermStream<'a> {
        self.token.reset();
        TermStream { rest: text, token: &mut self.token }
    }
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        let Some((term, rest)) = self.rest.split_once(TERM_END) else { return false };
        self.rest = rest;
        self.token.text.clear();
        self.token.text.push_str(term);
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}
