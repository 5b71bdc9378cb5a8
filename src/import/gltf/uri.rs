//! Which URIs are read, and from where.
//!
//! A file from the internet must not be able to name any file of this machine:
//! only data URIs and paths in the model's folder, below it, in its parent folder
//! or below that are accepted. Symbolic links are followed, for they were put
//! there by the machine's owner, not by the model.

use std::path::{Path, PathBuf};

use base64::{
    DecodeError, Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use percent_encoding::percent_decode_str;

pub(super) use super::error::UriError as Error;
use super::error::UriError;
use crate::import::{error::escaped, file};

/// Padding is often left out; the decoder does not need it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What a URI stands for.
#[derive(Debug)]
pub(in crate::import) enum Resource {
    /// The content of a data URI.
    Data(Vec<u8>),
    /// A path relative to the model's folder, safe to join to it.
    Path(PathBuf),
}

/// Reads a URI by the rules above, without touching the disk.
pub(in crate::import) fn resolve(uri: &str) -> Result<Resource, UriError> {
    if let Some(scheme) = scheme(uri) {
        if scheme.eq_ignore_ascii_case("data") {
            return data(&uri["data:".len()..]).map(Resource::Data);
        }
        return Err(UriError::Scheme {
            scheme: scheme.into(),
            uri: shortened(uri),
        });
    }
    relative(uri).map(Resource::Path)
}

/// The letters before a colon, if this is a URI with a scheme (RFC 3986, 3.1). A
/// Windows drive letter counts as one.
fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let mut letters = scheme.chars();
    (letters.next()?.is_ascii_alphabetic()
        && letters.all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)))
    .then_some(scheme)
}

fn relative(uri: &str) -> Result<PathBuf, UriError> {
    let decoded = percent_decode_str(uri)
        .decode_utf8()
        .ok()
        .filter(|path| !path.contains('\0') && !path.is_empty())
        .ok_or_else(|| UriError::NotAName {
            uri: shortened(uri),
        })?;
    // Exporters on Windows write backslashes, and there they separate folders.
    let decoded = decoded.replace('\\', "/");
    // A colon that was escaped: a drive letter, or a second scheme in disguise.
    if decoded.starts_with('/') || scheme(&decoded).is_some() {
        return Err(UriError::Absolute {
            uri: shortened(uri),
        });
    }
    let mut path = PathBuf::new();
    // Folders below the model's; −1 is its parent.
    let mut depth = 0;
    for part in decoded.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                depth -= 1;
                if depth < -1 {
                    return Err(UriError::Climbs {
                        uri: shortened(uri),
                    });
                }
                if !path.pop() {
                    path.push("..");
                }
            }
            name => {
                depth += 1;
                path.push(name);
            }
        }
    }
    Ok(path)
}

/// `[mediatype][;name=value]*[;base64],content` (RFC 2397).
fn data(rest: &str) -> Result<Vec<u8>, UriError> {
    let malformed = |message: String| UriError::Data { message };
    let (header, content) = rest
        .split_once(',')
        .ok_or_else(|| malformed("there is no comma before the content".into()))?;
    let mut is_base64 = false;
    for parameter in header.split(';').skip(1) {
        if parameter.eq_ignore_ascii_case("base64") {
            is_base64 = true;
        } else if !parameter.contains('=') {
            return Err(malformed(format!(
                "\"{}\" is no parameter",
                shortened(parameter)
            )));
        }
    }
    if !is_base64 {
        return Ok(percent_decode_str(content).collect());
    }
    BASE64
        .decode(content)
        .map_err(|error| malformed(base64_fault(&error)))
}

/// In our words: the decoder counts letters by their codes.
fn base64_fault(error: &DecodeError) -> String {
    match *error {
        DecodeError::InvalidByte(offset, byte) => {
            let letter = char::from(byte);
            format!("{letter:?} at letter {offset} of its content is not a letter of base64")
        }
        DecodeError::InvalidLength(length) => {
            format!("{length} letters of base64 are not a whole number of bytes")
        }
        DecodeError::InvalidLastSymbol(offset, _) => {
            format!("the last letter of its base64, {offset}, has bits of no byte")
        }
        DecodeError::InvalidPadding => "its base64 does not end with the right \"=\"".to_owned(),
    }
}

/// Reads a file beside the model, at most `limit` bytes of it where one is given.
pub(in crate::import) fn read(path: &Path, limit: Option<u64>) -> Result<Vec<u8>, UriError> {
    file::read(path, limit).map_err(|error| UriError::Unreadable {
        error,
        path: path.into(),
    })
}

/// A URI for a message: long ones are cut, control characters are escaped.
pub(in crate::import) fn shortened(uri: &str) -> String {
    const LIMIT: usize = 96;
    // Cut before it is escaped, for it may be a file's worth of text.
    let begin: String = uri.chars().take(LIMIT + 1).collect();
    let escaped = escaped(begin);
    if escaped.chars().count() <= LIMIT {
        return escaped;
    }
    escaped.chars().take(LIMIT).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(uri: &str) -> Option<String> {
        match resolve(uri) {
            Ok(Resource::Path(path)) => Some(path.to_string_lossy().replace('\\', "/")),
            _ => None,
        }
    }

    #[test]
    fn paths_beside_the_model_are_read() {
        for (uri, expected) in [
            ("a.bin", "a.bin"),
            ("./sub/a%20b.png", "sub/a b.png"),
            ("sub\\tex.png", "sub/tex.png"),
            ("../textures/a.png", "../textures/a.png"),
            ("sub/../../a.png", "../a.png"),
            ("%C3%A4.bin", "ä.bin"),
            ("./odd:name.bin", "odd:name.bin"),
        ] {
            assert_eq!(path(uri).as_deref(), Some(expected), "{uri}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for uri in [
            "../../a.png",
            "..%2f..%2fa.png",
            "..\\..\\a.png",
            "sub/../../../a.png",
            "/etc/passwd",
            "%2Fetc/passwd",
            "\\\\server\\share",
            "C:\\a.png",
            "C%3A/a.png",
            "http://example.org/a.png",
            "file:///etc/passwd",
            "a%00.png",
            "a%FF.png",
            "",
        ] {
            assert_eq!(path(uri), None, "{uri}");
        }
    }

    #[test]
    fn a_uri_in_a_message_cannot_steer_the_terminal() {
        assert_eq!(shortened("a\n\u{1b}[2Jä"), "a\\n\\u{1b}[2Jä");
        assert_eq!(shortened(&"x".repeat(96)).chars().count(), 96);
        let long = shortened(&"x".repeat(97));
        assert!(long.chars().count() == 97 && long.ends_with('…'));
    }

    #[test]
    fn data_uris() {
        let bytes = |uri: &str| match resolve(uri) {
            Ok(Resource::Data(bytes)) => Some(bytes),
            _ => None,
        };
        assert_eq!(bytes("data:;base64,AAEC"), Some(vec![0, 1, 2]));
        assert_eq!(bytes("data:a/b;x=y;base64,AA"), Some(vec![0]));
        assert_eq!(bytes("DATA:,a%20b"), Some(b"a b".to_vec()));
        assert_eq!(bytes("data:a/b;;base64,AA=="), None);
        assert_eq!(bytes("data:a/b;base64"), None);
        assert_eq!(bytes("data:a/b;base64,@@@@"), None);
    }
}
