//! A message with files, in Discord's format: `payload_json` and `files[n]`
//! (<https://docs.discord.com/developers/reference#uploading-files>, RFC 7578).

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::message::Message;

/// The content type and the body. The boundary depends only on the parts, so that the same message has the same bytes.
pub(super) fn write(message: &Message) -> (String, Bytes) {
    let payload = message.payload().to_string();
    let mut hash = Sha256::new().chain_update(&payload);
    message.files().iter().for_each(|file| hash.update(&file.bytes));
    let boundary = format!("matchbook-{}", hex::encode(hash.finalize()));
    let mut body = Vec::new();
    let mut part = |about: String, bytes: &[u8]| {
        body.extend_from_slice(format!("--{boundary}\r\ncontent-disposition: form-data; {about}\r\n\r\n").as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    };
    part("name=\"payload_json\"\r\ncontent-type: application/json".to_owned(), payload.as_bytes());
    for (n, file) in message.files().iter().enumerate() {
        let about = format!("name=\"files[{n}]\"; filename=\"{}\"\r\ncontent-type: {}", file.name, file.kind);
        part(about, &file.bytes);
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body.into())
}
