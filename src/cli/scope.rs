//! Whom a statement or an episode is for.

use clap::Args;

use crate::rpc::proto::Scope;

#[derive(Debug, Default, Args)]
pub(crate) struct ScopeArgs {
    /// For this owner alone; empty: for everybody [default: the owner of the credential]
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// For holders of this access label; may be given several times
    #[arg(long = "label", value_name = "NAME")]
    labels: Vec<String>,
}

impl ScopeArgs {
    pub(crate) fn scope(&self) -> Option<Scope> {
        let said = self.owner.is_some() || !self.labels.is_empty();
        let owner = self.owner.clone().unwrap_or_default();
        said.then(|| Scope { owner, labels: self.labels.clone() })
    }
}
