//! The picture of a moment, as a file of a message.

use picture::{Scene, Theme};

use super::message::{ALT_MAX, File};

pub async fn picture_file(scene: &Scene, name: String) -> Option<File> {
    let alt = picture::short(scene, ALT_MAX);
    let svg = picture::svg(scene, Theme::Dark);
    let drawn = crate::reader_threads::compute(move || picture::png(&svg)).await;
    let drawn = drawn.map_err(|error| error.to_string()).and_then(|drawn| drawn.map_err(|error| error.to_string()));
    if let Err(error) = &drawn {
        tracing::error!(%error, "a picture could not be drawn");
    }
    Some(File { name, kind: "image/png", alt: Some(alt), bytes: drawn.ok()?.into() })
}
