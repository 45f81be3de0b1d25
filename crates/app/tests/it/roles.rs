//! What members may do: whoever asks, for whatever, in whichever project.

mod any_order;
mod code;
mod members;
mod permissions;
mod previews;
mod use_cases;
