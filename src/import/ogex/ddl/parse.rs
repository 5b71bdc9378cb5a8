//! Text → tree, in one loop.

use super::{
    super::error::{OgexError, OgexProblem},
    lex::Cursor,
    literal::Type,
    tree::{Data, Id, NONE, Name, Reference, Structure, Tree, Value},
};

/// Deepest nesting that is read. No rig comes near; what walks the tree of joints
/// later should not meet a file made of nothing else.
const MAX_DEPTH: usize = 4096;
/// Most structures that are read. A clip of a thousand joints takes thirty thousand.
const MAX_STRUCTURES: usize = 4 << 20;

/// Reads a whole file.
///
/// # Errors
///
/// Of the grammar, with the line and the structures around it.
pub(in super::super) fn parse(text: &str) -> Result<Tree<'_>, OgexError> {
    let mut parser = Parser {
        cursor: Cursor::new(text),
        tree: Tree::default(),
        open: Vec::new(),
        last_child: vec![NONE],
    };
    match parser.file() {
        Ok(()) => Ok(parser.tree),
        Err(problem) => {
            let structure = match parser.open.last() {
                Some(&id) => parser.tree.path(id),
                None => "file".into(),
            };
            Err(OgexError {
                line: parser.cursor.line,
                structure,
                problem,
            })
        }
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    tree: Tree<'a>,
    /// Structures whose brace is open.
    open: Vec<Id>,
    /// The last child of the file and of each of those.
    last_child: Vec<Id>,
}

impl<'a> Parser<'a> {
    fn file(&mut self) -> Result<(), OgexProblem> {
        loop {
            match self.cursor.peek() {
                Some(b'}') if !self.open.is_empty() => {
                    self.cursor.bump();
                    self.open.pop();
                    self.last_child.pop();
                }
                None if self.open.is_empty() => return Ok(()),
                None => return Err(self.cursor.unexpected("the closing \"}\"")),
                Some(_) => self.structure()?,
            }
        }
    }

    /// A primitive structure whole; of another one everything up to its brace.
    fn structure(&mut self) -> Result<(), OgexProblem> {
        self.cursor.skip_space();
        let line = self.cursor.line;
        let kind = self
            .cursor
            .identifier()
            .ok_or_else(|| self.cursor.unexpected("a structure"))?;
        let id = self.add(kind, line)?;
        // So that errors from here on name it.
        self.open.push(id);
        if let Some(data_type) = Type::from_name(kind) {
            self.primitive(id, data_type)?;
            self.open.pop();
            return Ok(());
        }
        self.name(id)?;
        if self.cursor.take(b'(') {
            self.properties(id)?;
        }
        self.cursor.expect(b'{', "\"{\"")?;
        if self.open.len() > MAX_DEPTH {
            return Err(OgexProblem::Depth { limit: MAX_DEPTH });
        }
        self.last_child.push(NONE);
        Ok(())
    }

    fn add(&mut self, kind: &'a str, line: u32) -> Result<Id, OgexProblem> {
        if self.tree.all.len() >= MAX_STRUCTURES {
            return Err(OgexProblem::Structures {
                limit: MAX_STRUCTURES,
            });
        }
        let id = self.tree.all.len() as Id;
        let parent = self.open.last().copied().unwrap_or(NONE);
        if let Some(last) = self.last_child.last_mut() {
            if *last != NONE {
                self.tree.all[*last as usize].next = id;
            } else if parent != NONE {
                self.tree.all[parent as usize].first_child = id;
            }
            *last = id;
        }
        self.tree.all.push(Structure {
            kind,
            line,
            width: 0,
            parent,
            first_child: NONE,
            next: NONE,
            name: None,
            properties: Vec::new(),
            data: Data::None,
        });
        Ok(id)
    }

    /// `$name` or `%name`, if there is one. The first of two equal names counts.
    fn name(&mut self, id: Id) -> Result<(), OgexProblem> {
        if let Some(b'$' | b'%') = self.cursor.peek() {
            let name = name(&mut self.cursor)?;
            if name.is_global {
                self.tree.globals.entry(name.text).or_insert(id);
            } else {
                let scope = self.tree.all[id as usize].parent;
                self.tree.locals.entry((scope, name.text)).or_insert(id);
            }
            self.tree.all[id as usize].name = Some(name);
        }
        Ok(())
    }

    fn properties(&mut self, id: Id) -> Result<(), OgexProblem> {
        if self.cursor.take(b')') {
            return Ok(());
        }
        loop {
            let key = self
                .cursor
                .identifier()
                .ok_or_else(|| self.cursor.unexpected("a property"))?;
            // `OpenDDL` 3: a name alone is true.
            let value = if self.cursor.take(b'=') {
                value(&mut self.cursor)?
            } else {
                Value::Bool(true)
            };
            self.tree.all[id as usize].properties.push((key, value));
            if self.cursor.take(b')') {
                return Ok(());
            }
            self.cursor.expect(b',', "\",\" or \")\"")?;
        }
    }

    fn primitive(&mut self, id: Id, data_type: Type) -> Result<(), OgexProblem> {
        let mut width = 0;
        let mut has_states = false;
        // `OpenDDL` has the name behind the size; some writers put it before.
        self.name(id)?;
        if self.cursor.take(b'[') {
            let stated = self.cursor.integer(32, false)?;
            self.cursor.expect(b']', "\"]\"")?;
            width = u32::try_from(stated).unwrap_or(u32::MAX);
            if width == 0 {
                return Err(OgexProblem::Range {
                    value: "0".into(),
                    what: "of subarray sizes, which begin at 1",
                });
            }
            has_states = self.cursor.take(b'*');
            self.name(id)?;
        }
        self.tree.all[id as usize].width = width;
        let mut data = match data_type {
            Type::Bool => Data::Bools(Vec::new()),
            Type::Int(..) => Data::Ints(Vec::new()),
            Type::Float(_) => Data::Floats(Vec::new()),
            Type::String => Data::Strings(Vec::new()),
            Type::Ref => Data::Refs(Vec::new()),
            Type::Name | Type::Base64 => Data::Other,
        };
        let cursor = &mut self.cursor;
        cursor.expect(b'{', "\"{\"")?;
        if !cursor.take(b'}') {
            if width == 0 {
                list(cursor, data_type, &mut data)?;
            } else {
                loop {
                    if has_states {
                        cursor.identifier();
                    }
                    cursor.expect(b'{', "the \"{\" of a subarray")?;
                    let count = list(cursor, data_type, &mut data)?;
                    if count != width as usize {
                        return Err(OgexProblem::Count {
                            what: "elements in a subarray",
                            actual: count,
                            expected: width as usize,
                        });
                    }
                    if cursor.take(b'}') {
                        break;
                    }
                    cursor.expect(b',', "\",\" or \"}\"")?;
                }
            }
        }
        match &mut data {
            Data::Ints(values) => values.shrink_to_fit(),
            Data::Floats(values) => values.shrink_to_fit(),
            _ => {}
        }
        self.tree.all[id as usize].data = data;
        Ok(())
    }
}

/// Literals with commas between them, and the closing brace. Returns how many.
fn list<'a>(
    cursor: &mut Cursor<'a>,
    data_type: Type,
    data: &mut Data<'a>,
) -> Result<usize, OgexProblem> {
    let mut count = 0;
    loop {
        match (data_type, &mut *data) {
            (Type::Bool, Data::Bools(values)) => values.push(cursor.boolean()?),
            (Type::Int(bits, signed), Data::Ints(values)) => {
                values.push(cursor.integer(bits, signed)?);
            }
            (Type::Float(bits), Data::Floats(values)) => values.push(cursor.float(bits)?),
            (Type::String, Data::Strings(values)) => values.push(cursor.string()?),
            (Type::Ref, Data::Refs(values)) => values.push(reference(cursor)?),
            (Type::Name, _) => data_type_name(cursor)?,
            _ => base64(cursor)?,
        }
        count += 1;
        if cursor.take(b'}') {
            return Ok(count);
        }
        cursor.expect(b',', "\",\" or \"}\"")?;
    }
}

fn name<'a>(cursor: &mut Cursor<'a>) -> Result<Name<'a>, OgexProblem> {
    let is_global = cursor.byte() == Some(b'$');
    cursor.bump();
    // No white space inside a name.
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    if !cursor.byte().is_some_and(is_letter) {
        return Err(cursor.unexpected("a name"));
    }
    let text = cursor
        .identifier()
        .ok_or_else(|| cursor.unexpected("a name"))?;
    Ok(Name { is_global, text })
}

fn reference<'a>(cursor: &mut Cursor<'a>) -> Result<Reference<'a>, OgexProblem> {
    let start = *cursor;
    if cursor.identifier() == Some("null") {
        return Ok(None);
    }
    *cursor = start;
    let Some(b'$' | b'%') = cursor.peek() else {
        return Err(cursor.unexpected("a reference"));
    };
    let mut names = vec![name(cursor)?];
    while cursor.byte() == Some(b'%') {
        names.push(name(cursor)?);
    }
    Ok(Some(names.into_boxed_slice()))
}

fn data_type_name(cursor: &mut Cursor<'_>) -> Result<(), OgexProblem> {
    match cursor.identifier().and_then(Type::from_name) {
        Some(_) => Ok(()),
        None => Err(cursor.unexpected("a data type")),
    }
}

fn base64(cursor: &mut Cursor<'_>) -> Result<(), OgexProblem> {
    cursor.skip_space();
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    let mut found = false;
    loop {
        found |= !cursor.run(is_digit).is_empty();
        // Lines of it may be wrapped.
        if !cursor.peek().is_some_and(is_digit) {
            break;
        }
    }
    if found {
        Ok(())
    } else {
        Err(cursor.unexpected("base64 data"))
    }
}

/// The value of a property tells its type by how it begins.
fn value<'a>(cursor: &mut Cursor<'a>) -> Result<Value<'a>, OgexProblem> {
    match cursor.peek() {
        Some(b'"') => Ok(Value::String(cursor.string()?)),
        Some(b'$' | b'%') => Ok(Value::Ref(reference(cursor)?)),
        Some(byte) if byte.is_ascii_alphabetic() => match cursor.identifier() {
            Some("true") => Ok(Value::Bool(true)),
            Some("false") => Ok(Value::Bool(false)),
            Some("null") => Ok(Value::Ref(None)),
            Some(word) if Type::from_name(word).is_some() => Ok(Value::Type),
            _ => Err(cursor.unexpected("a value")),
        },
        _ => {
            let mut whole = *cursor;
            let integer = whole.integer(64, false).ok();
            let ends = |cursor: &mut Cursor<'_>| matches!(cursor.peek(), Some(b',' | b')'));
            if let Some(integer) = integer
                && ends(&mut whole)
            {
                *cursor = whole;
                return Ok(Value::Number(integer as f32, Some(integer)));
            }
            Ok(Value::Number(cursor.float(32)?, None))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_with_everything() {
        let text = r#"
            // A comment { that does not open
            Outer $one (key = "a" "b", flag, n = 7, f = -1.5, r = $one%two, t = float, z = null) {
                Inner %two {}
                float[2] %vectors {{1, 2}, {3, 4.5}}
                ref {$one%two, null, %two}
                bool {true, 0} string {"x"} type {u8, float32} base64 {QUJD RA==}
                u16[2]* %k {a {1, 2}, {3, 4}}
            }
            Outer {}"#;
        let tree = parse(text).expect("a good text");
        let kinds: Vec<&str> = tree.ids().map(|id| tree.get(id).kind).collect();
        assert_eq!(
            kinds,
            [
                "Outer", "Inner", "float", "ref", "bool", "string", "type", "base64", "u16",
                "Outer"
            ]
        );
        assert_eq!(tree.get(0).line, 3);
        assert_eq!(tree.text(0, "key").ok().flatten(), Some("ab"));
        assert_eq!(tree.flag(0, "flag").ok(), Some(true));
        assert_eq!(tree.number(0, "n").ok().flatten(), Some(7));
        assert_eq!(tree.property(0, "f"), Some(&Value::Number(-1.5, None)));
        assert_eq!(tree.get(2).data, Data::Floats(vec![1.0, 2.0, 3.0, 4.5]));
        let Data::Refs(references) = &tree.get(3).data else {
            panic!("references");
        };
        let found = |at: usize| tree.resolve(3, references[at].as_deref()?);
        assert_eq!((found(0), found(1), found(2)), (Some(1), None, Some(1)));
        assert_eq!(tree.children(0).count(), 8);
        assert_eq!(tree.path(1), "Outer $one › Inner %two");
    }

    #[test]
    fn errors_name_line_and_structure() {
        for (text, expected) in [
            (
                "A {\n B {\n",
                "line 3: A › B: the file ends where the closing \"}\" should be",
            ),
            ("A {}\n}", "line 2: file: expected a structure, found \"}\""),
            (
                "A $x {\n float[3] {{1, 2}} }",
                "line 2: A $x › float: elements in a subarray: 2, not 3",
            ),
            ("A (b = ) {}", "line 1: A: expected number, found \")\""),
            (
                "int8 {300}",
                "line 1: int8: 300 is outside the range of signed integers",
            ),
            (
                "float {1 2}",
                "line 1: float: expected \",\" or \"}\", found \"2}\"",
            ),
        ] {
            let error = parse(text).err().map(|error| error.to_string());
            assert_eq!(error.as_deref(), Some(expected));
        }
    }

    #[test]
    fn depth_ends_with_an_error() {
        let text = "A{".repeat(100_000);
        let error = parse(&text).expect_err("too deep");
        assert_eq!(error.problem, OgexProblem::Depth { limit: MAX_DEPTH });
        let fine = "A{".repeat(4000) + &"}".repeat(4000);
        assert!(parse(&fine).is_ok());
    }
}
