//! Applications: the OAuth clients that act for members. Their rules are in `oauth::client`.

mod add;
mod add_secret;
mod change;
mod command_line;
mod declare;
mod description;
mod dto;
mod find;
mod make_secret;
mod remove;
mod remove_secret;
mod request;
mod switch;

pub use add::{AddApplicationError, AddedApplication, NewApplication, add_application};
pub use add_secret::{AddSecretError, AddedSecret, add_secret};
pub use change::{ChangeApplicationError, ChangedApplication, change_application};
pub use command_line::COMMAND_LINE_CLIENT_ID;
pub(crate) use command_line::{command_line, keep_command_line};
pub(crate) use declare::find_faults;
pub use declare::{DeclareApplicationError, DeclaredApplication, declare_application};
pub use description::ApplicationFault;
pub use dto::{ApplicationDto, SecretDto, application_json, secret_json};
pub use find::{count_applications, find_application, list_applications, page_of_applications};
pub use remove::{RemoveApplicationError, remove_application};
pub use remove_secret::{RemoveSecretError, remove_secret};
pub use request::{
    APPLICATION_BYTES_AT_MOST, ApplicationAction, ApplicationActionRequest, ApplicationPatch,
    ApplicationRequest, Kind, SecretRequest,
};
pub use switch::{disable_application, enable_application};
