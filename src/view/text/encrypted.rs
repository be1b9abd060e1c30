//! A directory of tantivy whose files are encrypted.
//!
//! ```text
//! | length 4 | encrypted piece | length 4 | encrypted piece | ...
//! ```
//!
//! A piece is bound to its file, its number and whether it is the last, so a file that was cut short
//! or put together from others does not open. A file is read into memory as a whole, and stays there
//! as long as someone reads it. Nothing else uses the directory: the store holds its lock.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, OwnedBytes, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};

use crate::types::Cipher;

/// Plain bytes of a piece.
const PIECE: usize = 64 * 1_024;
const LENGTH: usize = 4;
/// A file that is not finished.
const DRAFT: &str = ".draft";

#[derive(Clone, Debug)]
pub(super) struct EncryptedDirectory {
    folder: PathBuf,
    cipher: Arc<dyn Cipher>,
    /// Files that someone reads.
    open: Arc<Mutex<HashMap<PathBuf, Weak<[u8]>>>>,
}

impl EncryptedDirectory {
    pub(super) fn new(folder: &Path, cipher: Arc<dyn Cipher>) -> EncryptedDirectory {
        EncryptedDirectory { folder: folder.to_owned(), cipher, open: Arc::default() }
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let unread = |error| OpenReadError::wrap_io_error(error, path.to_owned());
        let bytes = match fs::read(self.folder.join(path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(OpenReadError::FileDoesNotExist(path.to_owned()));
            }
            read => read.map_err(unread)?,
        };
        let plain = decrypt(&*self.cipher, path, &bytes);
        plain.ok_or_else(|| unread(ErrorKind::InvalidData.into()))
    }

    fn writer(&self, path: &Path, file: File) -> Writer {
        let (path, cipher) = (path.to_owned(), Arc::clone(&self.cipher));
        Writer { path, cipher, file, waiting: Vec::new(), number: 0 }
    }

    fn forget(&self, path: &Path) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    }
}

impl Directory for EncryptedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = match open.get(path).and_then(Weak::upgrade) {
            Some(bytes) => bytes,
            None => {
                let bytes: Arc<[u8]> = self.read(path)?.into();
                open.insert(path.to_owned(), Arc::downgrade(&bytes));
                bytes
            }
        };
        Ok(Arc::new(OwnedBytes::new(bytes)))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.forget(path);
        fs::remove_file(self.folder.join(path)).map_err(|error| {
            if error.kind() == ErrorKind::NotFound {
                DeleteError::FileDoesNotExist(path.to_owned())
            } else {
                DeleteError::IoError { io_error: Arc::new(error), filepath: path.to_owned() }
            }
        })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        let found = self.folder.join(path).try_exists();
        found.map_err(|error| OpenReadError::wrap_io_error(error, path.to_owned()))
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.forget(path);
        let file = File::create_new(self.folder.join(path)).map_err(|error| {
            if error.kind() == ErrorKind::AlreadyExists {
                OpenWriteError::FileAlreadyExists(path.to_owned())
            } else {
                OpenWriteError::wrap_io_error(error, path.to_owned())
            }
        })?;
        Ok(BufWriter::new(Box::new(self.writer(path, file))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.forget(path);
        let target = self.folder.join(path);
        let mut draft = target.clone().into_os_string();
        draft.push(DRAFT);
        let mut writer = self.writer(path, File::create(&draft)?);
        writer.write_all(data)?;
        writer.finish()?;
        fs::rename(&draft, &target)?;
        self.sync_directory()
    }

    fn sync_directory(&self) -> io::Result<()> {
        if cfg!(unix) { File::open(&self.folder)?.sync_all() } else { Ok(()) }
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

/// One file on its way to the disk, a piece at a time.
struct Writer {
    path: PathBuf,
    cipher: Arc<dyn Cipher>,
    file: File,
    waiting: Vec<u8>,
    number: u64,
}

impl Writer {
    fn piece(&mut self, plain: &[u8], last: bool) -> io::Result<()> {
        let piece = self.cipher.encrypt(&name(&self.path, self.number, last), plain);
        self.number += 1;
        let length = u32::try_from(piece.len()).expect("a piece is short");
        self.file.write_all(&length.to_le_bytes())?;
        self.file.write_all(&piece)
    }

    fn finish(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.waiting);
        self.piece(&rest, true)?;
        self.file.sync_all()
    }
}

impl Write for Writer {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(data);
        while self.waiting.len() > PIECE {
            let rest = self.waiting.split_off(PIECE);
            let whole = std::mem::replace(&mut self.waiting, rest);
            self.piece(&whole, false)?;
        }
        Ok(data.len())
    }

    /// What waits is encrypted with what follows it, or at the end.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TerminatingWrite for Writer {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.finish()
    }
}

/// Missing where a piece is not what was written, or not in its place.
fn decrypt(cipher: &dyn Cipher, path: &Path, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(bytes.len());
    let (mut rest, mut number) = (bytes, 0);
    loop {
        let (length, body) = rest.split_first_chunk::<LENGTH>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (piece, following) = body.split_at_checked(length)?;
        let last = following.is_empty();
        plain.extend(cipher.decrypt(&name(path, number, last), piece)?);
        if last {
            return Some(plain);
        }
        (rest, number) = (following, number + 1);
    }
}

fn name(path: &Path, number: u64, last: bool) -> String {
    format!("text {} {number} {last}", path.display())
}
