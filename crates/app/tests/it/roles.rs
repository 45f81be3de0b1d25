//! What members may do: each role, each permission, in their own projects and in others.

mod any_order;
mod code;
mod members;
mod permissions;
mod previews;
mod use_cases;
mod visual_editor;
mod vouching;
