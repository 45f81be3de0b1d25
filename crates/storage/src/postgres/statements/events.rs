//! Events that pages and servers sent.

use crate::statements::statements;

statements! {
    TAKE_ALL_FROM_LOG = "DELETE FROM event_log WHERE project = $1 AND id = ANY($2::BIGINT[])";
}
