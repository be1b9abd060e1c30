//! What calls of models cost, and budgets, in bytes.

use crate::types::{Budget, Budgets, Cost, Purpose};

use super::bytes::{DecodeError, Decoder, Stored, stored_as_byte};
use super::record::stored_by_field;

stored_as_byte!(
    Purpose,
    "purpose",
    EmbedDocument = 1,
    EmbedQuery = 2,
    Rerank = 3,
    Extract = 4,
    Summarise = 5,
    Reflect = 6,
    Judge = 7,
);
stored_by_field!(Cost { calls, failures, prompt_tokens, completion_tokens, estimated_tokens });
stored_by_field!(Budget { day_tokens, month_tokens });

impl Stored for Budgets {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.len().put(out);
        for (purpose, budget) in &self.0 {
            purpose.put(out);
            budget.put(out);
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<Budgets, DecodeError> {
        let mut budgets = Budgets::default();
        for _ in 0..from.count()? {
            let purpose = Stored::take(from)?;
            budgets.0.insert(purpose, Stored::take(from)?);
        }
        Ok(budgets)
    }
}
