//! The picture of a moment, as a file of a message.

use picture::{Scene, Theme};

use super::message::{ALT_MAX, File};

/// A picture of a scene as a file; none if it cannot be drawn. It is dark, as Discord is by default.
pub async fn picture_file(scene: &Scene, name: String) -> Option<File> {
    let alt = picture::short(scene, ALT_MAX);
    let svg = picture::svg(scene, Theme::Dark);
    let drawn = tokio::task::spawn_blocking(move || picture::png(&svg)).await;
    match drawn {
        Ok(Ok(bytes)) => Some(File { name, kind: "image/png", alt: Some(alt), bytes: bytes.into() }),
        Ok(Err(error)) => {
            tracing::error!(%error, "a picture could not be drawn");
            None
        }
        Err(error) => {
            tracing::error!(%error, "a picture could not be drawn");
            None
        }
    }
}
