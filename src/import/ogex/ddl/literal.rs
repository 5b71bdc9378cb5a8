//! Literals: numbers in every base, characters, strings.

use super::{
    super::error::OgexProblem,
    lex::{Cursor, shortened},
};

/// The types of data that numbers have, as far as their range goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    /// Bits, and whether there is a sign.
    Int(u32, bool),
    /// Bits.
    Float(u32),
    String,
    Ref,
    /// The name of a type.
    Name,
    Base64,
}

impl Type {
    /// By any of its names in `OpenDDL` 1 to 3.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "bool" | "b" => Self::Bool,
            "int8" | "i8" => Self::Int(8, true),
            "int16" | "i16" => Self::Int(16, true),
            "int32" | "i32" => Self::Int(32, true),
            "int64" | "i64" => Self::Int(64, true),
            "unsigned_int8" | "uint8" | "u8" => Self::Int(8, false),
            "unsigned_int16" | "uint16" | "u16" => Self::Int(16, false),
            "unsigned_int32" | "uint32" | "u32" => Self::Int(32, false),
            "unsigned_int64" | "uint64" | "u64" => Self::Int(64, false),
            "half" | "float16" | "f16" | "h" => Self::Float(16),
            "float" | "float32" | "f32" | "f" => Self::Float(32),
            "double" | "float64" | "f64" | "d" => Self::Float(64),
            "string" | "s" => Self::String,
            "ref" | "r" => Self::Ref,
            "type" | "t" => Self::Name,
            "base64" | "z" => Self::Base64,
            _ => return None,
        })
    }
}

/// A number as written: the sign, and what the digits say.
struct Digits<'a> {
    negative: bool,
    /// Digits in a base other than ten, or a character literal, by value.
    bits: Option<u64>,
    /// The digits of a decimal number, for its own parser.
    decimal: &'a str,
}

impl<'a> Cursor<'a> {
    fn digits(&mut self, what: &'static str) -> Result<Digits<'a>, OgexProblem> {
        let mut negative = false;
        if let Some(sign @ (b'+' | b'-')) = self.peek() {
            negative = sign == b'-';
            self.bump();
            self.skip_space();
        }
        if self.byte() == Some(b'\'') {
            let bits = Some(self.characters()?);
            return Ok(Digits {
                negative,
                bits,
                decimal: "",
            });
        }
        let start = self.rest();
        let base = match start {
            [b'0', b'x' | b'X', ..] => 16,
            [b'0', b'o' | b'O', ..] => 8,
            [b'0', b'b' | b'B', ..] => 2,
            _ => 10,
        };
        if base == 10 {
            let decimal = self.decimal();
            if decimal.is_empty() {
                return Err(self.unexpected(what));
            }
            return Ok(Digits {
                negative,
                bits: None,
                decimal,
            });
        }
        self.bump();
        self.bump();
        let word = self.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let digits: String = word.chars().filter(|&c| c != '_').collect();
        let bits = u64::from_str_radix(&digits, base).map_err(|_| OgexProblem::Literal {
            text: shortened(start),
            what,
        })?;
        Ok(Digits {
            negative,
            bits: Some(bits),
            decimal: "",
        })
    }

    /// `[0-9_]* [. [0-9_]*] [e [+-] [0-9_]+]`.
    fn decimal(&mut self) -> &'a str {
        let start = *self;
        let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'_';
        self.run(is_digit);
        if self.byte() == Some(b'.') {
            self.bump();
            self.run(is_digit);
        }
        if let [b'e' | b'E', ..] = self.rest() {
            self.bump();
            if let Some(b'+' | b'-') = self.byte() {
                self.bump();
            }
            self.run(is_digit);
        }
        let length = start.rest().len() - self.rest().len();
        // All of it is ASCII.
        core::str::from_utf8(&start.rest()[..length]).unwrap_or_default()
    }

    /// `'abc'`: up to eight characters, each a byte, the first the highest.
    fn characters(&mut self) -> Result<u64, OgexProblem> {
        const WHAT: &str = "character literal";
        let start = self.rest();
        let literal = || OgexProblem::Literal {
            text: shortened(start),
            what: WHAT,
        };
        self.bump();
        let mut value: u64 = 0;
        let mut count = 0;
        loop {
            let byte = match self.byte().ok_or_else(literal)? {
                b'\'' => break,
                b'\\' => {
                    self.bump();
                    u8::try_from(u32::from(self.escape(WHAT)?)).map_err(|_| literal())?
                }
                byte @ 32..=126 => {
                    self.bump();
                    byte
                }
                _ => return Err(literal()),
            };
            count += 1;
            if count > 8 {
                return Err(literal());
            }
            value = value << 8 | u64::from(byte);
        }
        self.bump();
        if count == 0 {
            return Err(literal());
        }
        Ok(value)
    }

    /// What follows a backslash.
    fn escape(&mut self, what: &'static str) -> Result<char, OgexProblem> {
        let start = self.rest();
        let literal = || OgexProblem::Literal {
            text: format!("\\{}", shortened(start)),
            what,
        };
        let digits = match self.character().ok_or_else(literal)? {
            character @ ('"' | '\'' | '?' | '\\') => return Ok(character),
            'a' => return Ok('\u{7}'),
            'b' => return Ok('\u{8}'),
            'f' => return Ok('\u{c}'),
            'n' => return Ok('\n'),
            'r' => return Ok('\r'),
            't' => return Ok('\t'),
            'v' => return Ok('\u{b}'),
            'x' => 2,
            'u' => 4,
            'U' => 6,
            _ => return Err(literal()),
        };
        let mut code = 0;
        for _ in 0..digits {
            let digit = self.character().and_then(|c| c.to_digit(16));
            code = code << 4 | digit.ok_or_else(literal)?;
        }
        char::from_u32(code).ok_or_else(literal)
    }

    /// An integer of a type with so many bits; unsigned ones of 64 bits keep their bits.
    pub(super) fn integer(&mut self, bits: u32, signed: bool) -> Result<i64, OgexProblem> {
        let what = "integer";
        let digits = self.digits(what)?;
        let magnitude = if let Some(bits) = digits.bits {
            bits
        } else {
            let plain: String = digits.decimal.chars().filter(|&c| c != '_').collect();
            plain.parse::<u64>().map_err(|_| OgexProblem::Literal {
                text: shortened(plain.as_bytes()),
                what,
            })?
        };
        let value = i128::from(magnitude) * if digits.negative { -1 } else { 1 };
        // A base other than ten may spell the bits of a negative number.
        let top = if signed && digits.bits.is_none() {
            bits - 1
        } else {
            bits
        };
        // Negative unsigned numbers wrap, as they do in C.
        let low = -(1_i128 << (bits - 1));
        if value < low || value >= 1 << top {
            return Err(OgexProblem::Range {
                value: value.to_string(),
                what: if signed {
                    "of signed integers"
                } else {
                    "of unsigned integers"
                },
            });
        }
        let shift = 128 - bits;
        let wrapped = if signed {
            (value << shift) >> shift
        } else {
            ((value as u128) << shift >> shift) as i128
        };
        Ok(wrapped as i64)
    }

    /// A floating-point number; in a base other than ten, its bits.
    pub(super) fn float(&mut self, bits: u32) -> Result<f32, OgexProblem> {
        let what = "number";
        let digits = self.digits(what)?;
        let value = match digits.bits {
            Some(pattern) => from_bits(pattern, bits).ok_or_else(|| OgexProblem::Range {
                value: format!("{pattern:#x}"),
                what: "of bit patterns of this type",
            })?,
            None if digits.decimal.contains('_') => {
                let plain: String = digits.decimal.chars().filter(|&c| c != '_').collect();
                parse_float(&plain)?
            }
            None => parse_float(digits.decimal)?,
        };
        Ok(if digits.negative { -value } else { value })
    }

    /// `true`, `false`, or in `OpenDDL` 3 `1` and `0`.
    pub(super) fn boolean(&mut self) -> Result<bool, OgexProblem> {
        let start = *self;
        match self.identifier() {
            Some("true") => return Ok(true),
            Some("false") => return Ok(false),
            _ => *self = start,
        }
        match self.peek() {
            Some(digit @ (b'0' | b'1')) => {
                self.bump();
                Ok(digit == b'1')
            }
            _ => Err(self.unexpected("true or false")),
        }
    }

    /// One or more strings in quotes, which are one.
    pub(super) fn string(&mut self) -> Result<String, OgexProblem> {
        let mut text = String::new();
        self.expect(b'"', "a string")?;
        loop {
            match self.character() {
                None => return Err(self.unexpected("the end of a string")),
                Some('"') => {
                    if !self.take(b'"') {
                        return Ok(text);
                    }
                }
                Some('\\') => text.push(self.escape("string")?),
                Some(character) => text.push(character),
            }
        }
    }
}

fn parse_float(text: &str) -> Result<f32, OgexProblem> {
    text.parse().map_err(|_| OgexProblem::Literal {
        text: shortened(text.as_bytes()),
        what: "number",
    })
}

/// The number with this bit pattern; `None` if it has more bits than that.
fn from_bits(pattern: u64, bits: u32) -> Option<f32> {
    match bits {
        16 => u16::try_from(pattern).ok().map(half),
        32 => u32::try_from(pattern).ok().map(f32::from_bits),
        _ => Some(f64::from_bits(pattern) as f32),
    }
}

/// IEEE 754 binary16.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 31);
    let fraction = f32::from(bits & 1023) / 1024.0;
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-14),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction) * 2.0_f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(text: &str) -> Option<i64> {
        Cursor::new(text).integer(16, true).ok()
    }

    #[test]
    fn integers_of_every_kind() {
        for (text, value) in [
            ("12", 12),
            ("+1_000", 1000),
            ("-32768", -32768),
            ("0x7F", 127),
            ("0XFFFF", -1),
            ("0o17", 15),
            ("0b1_01", 5),
            ("'A'", 65),
            ("'Ab'", 0x4162),
            ("'\\x10'", 16),
            ("- 'A'", -65),
        ] {
            assert_eq!(integer(text), Some(value), "{text}");
        }
        for text in [
            "32768", "-32769", "0x10000", "0x", "''", "'abc'", "1.5", "abc", "",
        ] {
            assert_eq!(integer(text), None, "{text}");
        }
        assert_eq!(Cursor::new("-1").integer(8, false).ok(), Some(255));
        assert_eq!(
            Cursor::new("18446744073709551615").integer(64, false).ok(),
            Some(-1)
        );
    }

    #[test]
    fn floats_of_every_kind() {
        for (text, bits, value) in [
            ("1", 32, 1.0),
            ("-1.5e2", 32, -150.0),
            (".5", 32, 0.5),
            ("1_0.2_5", 32, 10.25),
            ("0x3F800000", 32, 1.0),
            ("0x3C00", 16, 1.0),
            ("0xC000", 16, -2.0),
            ("0x0001", 16, 5.960_464_5e-8),
            ("0x4000000000000000", 64, 2.0),
            ("0b111111000000000000000000000000", 32, 0.5),
            ("- 0o7740000000", 32, -1.0),
        ] {
            assert_eq!(Cursor::new(text).float(bits).ok(), Some(value), "{text}");
        }
        for text in ["1e", "x", "-", "0x100000000"] {
            assert!(Cursor::new(text).float(32).is_err(), "{text}");
        }
    }

    #[test]
    fn strings_join_and_escape() {
        let text = r#""a\n" /* between */ "\x41é\u00e4\U01F600\"" "#;
        assert_eq!(
            Cursor::new(text).string().ok().as_deref(),
            Some("a\nAéä\u{1F600}\"")
        );
        for text in [r#""open"#, r#""\q""#, r#""\uD800""#, r#""\x4"#] {
            assert!(Cursor::new(text).string().is_err(), "{text}");
        }
    }
}
