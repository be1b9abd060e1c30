//! Encryption at rest: nothing readable stands in a data directory that has a key.
//!
//! An operator's key opens the file `KEY`, in which the key of the data is kept encrypted; with that
//! one everything else is. So the operator's key can be changed without rewriting the data. What is
//! guarded is a stolen disk or a copied directory, not a running process; that an old state of the
//! whole directory is put back is not seen. The argument is in
//! `docs/decisions/0020-encryption-at-rest.md`.

mod aead;
mod file;
mod key_file;

pub use aead::DataCipher;
pub(super) use file::{EncryptedFile, Slots};
pub(super) use key_file::{change, open};
