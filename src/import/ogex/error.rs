//! Why an `OpenGEX` file is refused.

/// A broken rule with its place: the line, counted from 1, and the structures around
/// it from the outside in, as `GeometryObject $geometry1 › Mesh › VertexArray`.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
#[error("line {line}: {structure}: {problem}")]
pub struct OgexError {
    /// Where, in lines of the file.
    pub line: u32,
    /// The path of structures, or `file` outside all of them.
    pub structure: String,
    /// What.
    pub problem: OgexProblem,
}

/// What is broken, with the numbers.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message beside each variant documents it")]
pub enum OgexProblem {
    #[error("expected {expected}, found {found}")]
    Syntax {
        expected: &'static str,
        found: String,
    },
    #[error("the file ends where {expected} should be")]
    EndOfFile { expected: &'static str },
    #[error("\"{text}\" is no {what}")]
    Literal { text: String, what: &'static str },
    #[error("{value} is outside the range {what}")]
    Range { value: String, what: &'static str },
    #[error("structures are nested deeper than {limit}")]
    Depth { limit: usize },
    #[error("the file has more than {limit} structures")]
    Structures { limit: usize },
    #[error("the file has {bytes} bytes, more than the {limit} that are read")]
    TooLarge { bytes: u64, limit: u64 },
    #[error("it holds {found}, not {expected}")]
    Data { expected: String, found: String },
    #[error("its {property} is {value}; {expected}")]
    Property {
        property: &'static str,
        value: String,
        expected: &'static str,
    },
    #[error("{count} elements for {vertices} vertices")]
    AttributeCount { count: usize, vertices: usize },
    #[error("index {index} (number {position}) is past the {vertices} vertices")]
    VertexIndex {
        index: i64,
        position: usize,
        vertices: usize,
    },
    #[error("{what}: {actual}, not {expected}")]
    Count {
        what: &'static str,
        actual: usize,
        expected: usize,
    },
    #[error("the reference {reference} leads to no {expected}")]
    Reference {
        reference: String,
        expected: &'static str,
    },
    #[error("it has no {what}")]
    Missing { what: &'static str },
}
