//! The time to draw a picture. One element is one picture.

extern crate matchbook_picture as picture;

#[path = "../tests/pictures/moments.rs"]
mod moments;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use picture::{Theme, png, svg};

/// A moment of each game.
const MOMENTS: [(&str, usize); 5] = [
    ("five-card-trick/genius-puzzler/more-chips-25-p1-ilse-quill", 10),
    ("three-card/simply-genius/dmo-25-p1-tindra-okapi", 9),
    ("thwart-13/legends-untold/more-hands-17-p2-okapi-wren", 21),
    ("devils-deal/blooming-genius/no-ante-6-p1-omalley-bastion", 30),
    ("higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe", 30),
];

fn draw(criterion: &mut Criterion) {
    for (file, steps) in MOMENTS {
        let scene = moments::after(file, steps);
        let game = file.split('/').next().unwrap_or(file);
        let drawn = svg(&scene, Theme::Light);
        let mut group = criterion.benchmark_group("picture");
        group
            .bench_function(BenchmarkId::new("svg", game), |bench| bench.iter(|| svg(black_box(&scene), Theme::Light)));
        group.bench_function(BenchmarkId::new("png", game), |bench| bench.iter(|| png(black_box(&drawn))));
        group.finish();
    }
}

criterion_group!(benches, draw);
criterion_main!(benches);
