//! The migrations are part of the program: a new one requires a new build.

fn main() {
    println!("cargo:rerun-if-changed=../migrations");
}
