//! Either kind of embedder, as those above hold it.

use tenure::models::{Address, Embedder, Endpoint, EndpointConfig, StaticModel};

use crate::stub::Stub;

#[tokio::test]
async fn the_built_in_model_gives_the_same_alone_and_among_many() {
    let embedder = Embedder::built_in();
    assert_eq!(embedder.model_name(), "enko-static-256");
    assert_eq!(embedder.dimension().await.expect("known"), 256);
    let mut texts: Vec<String> = (0..600).map(|at| format!("entry {at} of a long list")).collect();
    texts[300] = String::new();
    let vectors = embedder.embed_passages(&texts).await.expect("no call is made");
    assert_eq!(vectors.len(), texts.len());
    for (text, vector) in texts.iter().zip(&vectors) {
        assert_eq!(*vector, StaticModel::shared().embed(text), "{text}");
    }
    assert_eq!(vectors[300], None);
    let alone = embedder.embed_query(&texts[7]).await.expect("no call is made");
    assert_eq!(alone, vectors[7]);
    assert_eq!(embedder.usage().inputs, 601);
}

#[tokio::test]
async fn an_endpoint_is_an_embedder() {
    let stub = Stub::start([]);
    let config = EndpointConfig::new(Address::new(&stub.url()).expect("a URL"), "small");
    let embedder = Embedder::endpoint(Endpoint::new(config).expect("a good configuration"));
    assert_eq!(embedder.model_name(), "small");
    assert_eq!(embedder.dimension().await.expect("probed"), 2);
    assert!(embedder.embed_query("who").await.expect("a vector").is_some());
    let passages = embedder.embed_passages(&["a".to_owned()]).await.expect("a vector");
    assert!(passages[0].is_some());
    assert_eq!(embedder.usage().inputs, 3);
}
