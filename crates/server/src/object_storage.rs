//! Copies of files of events in object storage that speaks the S3 protocol.

mod requests;
mod trial;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use app::events::{EventCopies, EventCopyError};
use async_trait::async_trait;
use futures_util::StreamExt as _;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::buffered::BufWriter;
use object_store::path::Path as Key;
use object_store::{Error, ObjectStore as _, ObjectStoreExt as _, RetryConfig};
use tokio::io::AsyncWriteExt as _;

pub(crate) use self::requests::Patience;
use self::requests::Requests;
pub(crate) use self::trial::{Action, Refused};
use crate::failure::Failure;

/// Larger files are sent in parts of this size.
const PART_BYTES: usize = 8 * 1024 * 1024;

/// Says whose copies these are. Readers of folders skip what begins with a dot.
const OWNER: &str = ".assay";

const EXPECTED: &str =
    "--copy-events: expected a bucket and a prefix in it, such as `s3://shop-events/assay`";

/// A bucket, and where in it copies are.
pub(crate) struct ObjectStorage {
    bucket: Arc<AmazonS3>,
    prefix: Key,
}

impl ObjectStorage {
    /// The place at this address. Its keys, region and endpoint come from the environment variables that the tools of AWS know.
    pub(crate) fn of(address: &str, patience: Patience) -> Result<Self, Failure> {
        let place = address.strip_prefix("s3://").ok_or_else(|| Failure::input(EXPECTED))?;
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let prefix =
            Key::parse(prefix.trim_end_matches('/')).map_err(|_| Failure::input(EXPECTED))?;
        if bucket.is_empty() {
            return Err(Failure::input(EXPECTED));
        }
        let bucket = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_http_connector(Requests(patience))
            .with_retry(match patience {
                Patience::Server => RetryConfig::default(),
                Patience::Command => RetryConfig { max_retries: 0, ..RetryConfig::default() },
            })
            .build()
            .map_err(|error| Failure::input(format!("--copy-events: {error}")))?;
        Ok(Self { bucket: Arc::new(bucket), prefix })
    }

    fn key(&self, name: &str) -> Result<Key, EventCopyError> {
        let name =
            Key::parse(name).map_err(|error| EventCopyError::Destination(error.to_string()))?;
        Ok(self.prefix.parts().chain(name.parts()).collect())
    }

    async fn read_owner(&self) -> Result<Option<String>, Error> {
        match self.bucket.get(&self.prefix.clone().join(OWNER)).await {
            Err(Error::NotFound { .. }) => Ok(None),
            found => {
                let bytes = found?.bytes().await?;
                Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
            }
        }
    }
}

#[async_trait]
impl EventCopies for ObjectStorage {
    async fn owner(&self, asking: &str) -> Result<String, EventCopyError> {
        let owner = || async { self.read_owner().await.map_err(|error| failed(&error)) };
        if let Some(owner) = owner().await? {
            return Ok(owner);
        }
        let key = self.key(OWNER)?;
        self.bucket.put(&key, asking.to_owned().into()).await.map_err(|error| failed(&error))?;
        Ok(owner().await?.unwrap_or_default())
    }

    async fn list(&self) -> Result<BTreeMap<String, u64>, EventCopyError> {
        let mut files = BTreeMap::new();
        let mut found = self.bucket.list(Some(&self.prefix));
        while let Some(object) = found.next().await {
            let object = object.map_err(|error| failed(&error))?;
            let name: Option<Key> =
                object.location.prefix_match(&self.prefix).map(Iterator::collect);
            if let Some(name) = name.filter(|name| lake::is_file_name(name.as_ref())) {
                files.insert(name.to_string(), object.size);
            }
        }
        Ok(files)
    }

    async fn put(&self, name: &str, file: &Path) -> Result<(), EventCopyError> {
        let mut file = tokio::fs::File::open(file).await?;
        let mut copy =
            BufWriter::with_capacity(Arc::clone(&self.bucket) as _, self.key(name)?, PART_BYTES);
        let copied = async {
            tokio::io::copy_buf(
                &mut tokio::io::BufReader::with_capacity(PART_BYTES, &mut file),
                &mut copy,
            )
            .await?;
            copy.shutdown().await
        };
        match copied.await {
            Ok(()) => Ok(()),
            Err(error) => {
                // An object of which parts are missing is not listed, but costs money.
                let _nothing_began = copy.abort().await;
                Err(EventCopyError::Destination(trial::said(&error.to_string()).1))
            }
        }
    }

    async fn delete(&self, name: &str) -> Result<(), EventCopyError> {
        match self.bucket.delete(&self.key(name)?).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(&error)),
        }
    }
}

fn failed(error: &Error) -> EventCopyError {
    EventCopyError::Destination(trial::said(&error.to_string()).1)
}
