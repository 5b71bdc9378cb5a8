//! The built-in character moves as an animator would have it: every rule is measured on
//! the GLB itself, sampled by the library at the keys and half-way between them.

mod broken;
mod clips;
mod film;
mod run;
mod stand;
mod walk;
