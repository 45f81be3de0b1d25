//! Access tokens, which a program sends with each request, and API tokens, which members make for programs.

mod add_api_token;
mod api_token;
mod check_bearer;
mod end_everything;
mod expiry;
mod list_api_tokens;
mod withdraw_service_role;

pub use add_api_token::{AddApiTokenError, AddedApiToken, NewToken, TokenFor, add_api_token};
pub use api_token::{
    API_TOKEN_BYTES_AT_MOST, ApiTokenDto, ApiTokenRequest, ServiceDto, ServiceRequest,
};
pub use check_bearer::{CheckBearerError, check_bearer};
pub use end_everything::{DatabaseIs, end_everything};
pub use expiry::Expiry;
pub use list_api_tokens::{ListedApiToken, list_api_tokens, list_services, remove_api_token};
pub use withdraw_service_role::withdraw_service_role;
