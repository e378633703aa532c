//! Draws a moment of a match in `fixtures/`, to look at it:
//! `cargo run -p matchbook-picture --example draw -- three-card/simply-genius/<match> 12 dark picture.png`

extern crate matchbook_picture as picture;

#[path = "../tests/pictures/moments.rs"]
mod moments;

use std::env;
use std::fs;

fn main() {
    let given: Vec<String> = env::args().skip(1).collect();
    let [file, steps, theme, to] = given.as_slice() else { panic!("a match, steps, a theme and a file") };
    let scene = moments::after(file, steps.parse().expect("a number"));
    let svg = picture::svg(&scene, theme.parse().expect("light or dark"));
    println!("{}", picture::alt(&scene));
    let picture = if to.ends_with(".svg") { svg.into_bytes() } else { picture::png(&svg).expect("a picture") };
    fs::write(to, picture).expect("a file");
}
