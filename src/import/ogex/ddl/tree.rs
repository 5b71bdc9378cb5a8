//! Structures in a flat list.

use std::collections::HashMap;

use super::super::error::{OgexError, OgexProblem};

/// Index of a structure in its tree.
pub(in super::super) type Id = u32;

/// Stands for no structure.
pub(super) const NONE: Id = Id::MAX;

/// `$global` or `%local`, without the sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Name<'a> {
    pub(in super::super) is_global: bool,
    pub(in super::super) text: &'a str,
}

/// A reference: `None` for `null`, else the names from the first on.
pub(in super::super) type Reference<'a> = Option<Box<[Name<'a>]>>;

/// The value of a property.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) enum Value<'a> {
    Bool(bool),
    /// A number and, where it is a whole one, that.
    Number(f32, Option<i64>),
    String(String),
    Ref(Reference<'a>),
    /// A data type's name.
    Type,
}

/// The literals in a primitive structure, in the file's order.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) enum Data<'a> {
    /// Not a primitive structure.
    None,
    Bools(Vec<bool>),
    Ints(Vec<i64>),
    Floats(Vec<f32>),
    Strings(Vec<String>),
    Refs(Vec<Reference<'a>>),
    /// Data types or base64, of which nothing in `OpenGEX` makes use.
    Other,
}

/// One structure.
#[derive(Debug, Clone)]
pub(in super::super) struct Structure<'a> {
    /// `Mesh`, `float`, as written.
    pub(in super::super) kind: &'a str,
    pub(in super::super) line: u32,
    /// Numbers in a subarray; 0 for a plain list.
    pub(in super::super) width: u32,
    pub(super) parent: Id,
    pub(super) first_child: Id,
    pub(super) next: Id,
    pub(in super::super) name: Option<Name<'a>>,
    pub(super) properties: Vec<(&'a str, Value<'a>)>,
    pub(in super::super) data: Data<'a>,
}

/// All structures of a file, parents before children.
#[derive(Debug, Default)]
pub(in super::super) struct Tree<'a> {
    pub(super) all: Vec<Structure<'a>>,
    pub(super) globals: HashMap<&'a str, Id>,
    /// By the structure around it ([`NONE`] at the top): the first of each local name.
    pub(super) locals: HashMap<(Id, &'a str), Id>,
}

impl<'a> Tree<'a> {
    pub(in super::super) fn get(&self, id: Id) -> &Structure<'a> {
        &self.all[id as usize]
    }

    /// Every structure, in the file's order.
    pub(in super::super) fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        0..self.all.len() as Id
    }

    pub(in super::super) fn parent(&self, id: Id) -> Option<Id> {
        let parent = self.get(id).parent;
        (parent != NONE).then_some(parent)
    }

    /// Direct children, in the file's order.
    pub(in super::super) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let first = self.get(id).first_child;
        core::iter::successors((first != NONE).then_some(first), |&child| {
            let next = self.get(child).next;
            (next != NONE).then_some(next)
        })
    }

    /// Direct children of one kind.
    pub(in super::super) fn of_kind<'s>(
        &'s self,
        id: Id,
        kind: &'s str,
    ) -> impl Iterator<Item = Id> + 's {
        self.children(id)
            .filter(move |&child| self.get(child).kind == kind)
    }

    /// The first direct child of a kind.
    pub(in super::super) fn child(&self, id: Id, kind: &str) -> Option<Id> {
        self.children(id)
            .find(|&child| self.get(child).kind == kind)
    }

    /// The first primitive structure inside.
    pub(in super::super) fn data(&self, id: Id) -> Option<&Structure<'a>> {
        self.children(id)
            .map(|child| self.get(child))
            .find(|child| child.data != Data::None)
    }

    pub(in super::super) fn property(&self, id: Id, name: &str) -> Option<&Value<'a>> {
        self.get(id)
            .properties
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
    }

    /// A property that must be a string where it is given.
    pub(in super::super) fn text(
        &self,
        id: Id,
        name: &'static str,
    ) -> Result<Option<&str>, OgexError> {
        match self.property(id, name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.bad_property(id, name, other, "a string is expected")),
        }
    }

    /// A property that must be a whole number ≥ 0 where it is given.
    pub(in super::super) fn number(
        &self,
        id: Id,
        name: &'static str,
    ) -> Result<Option<u32>, OgexError> {
        match self.property(id, name) {
            None => Ok(None),
            Some(value @ Value::Number(_, whole)) => whole
                .and_then(|whole| u32::try_from(whole).ok())
                .map(Some)
                .ok_or_else(|| self.bad_property(id, name, value, "a whole number is expected")),
            Some(other) => Err(self.bad_property(id, name, other, "a whole number is expected")),
        }
    }

    /// A property that must be a number where it is given.
    pub(in super::super) fn float(
        &self,
        id: Id,
        name: &'static str,
    ) -> Result<Option<f32>, OgexError> {
        match self.property(id, name) {
            None => Ok(None),
            Some(Value::Number(number, _)) if number.is_finite() => Ok(Some(*number)),
            Some(other) => Err(self.bad_property(id, name, other, "a number is expected")),
        }
    }

    /// A property that must be true or false where it is given; false where not.
    pub(in super::super) fn flag(&self, id: Id, name: &'static str) -> Result<bool, OgexError> {
        match self.property(id, name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            // `OpenDDL` 3 lets 0 and 1 stand for them.
            Some(Value::Number(_, Some(number @ (0 | 1)))) => Ok(*number == 1),
            Some(other) => Err(self.bad_property(id, name, other, "true or false is expected")),
        }
    }

    fn bad_property(
        &self,
        id: Id,
        property: &'static str,
        value: &Value<'_>,
        expected: &'static str,
    ) -> OgexError {
        let value = match value {
            Value::Bool(flag) => flag.to_string(),
            Value::Number(number, None) => number.to_string(),
            Value::Number(_, Some(whole)) => whole.to_string(),
            Value::String(text) => format!("{text:?}"),
            Value::Ref(reference) => spelled(reference.as_deref()),
            Value::Type => "a data type".into(),
        };
        self.error(
            id,
            OgexProblem::Property {
                property,
                value,
                expected,
            },
        )
    }

    /// Where a reference that stands in structure `from` leads: a global name, or a
    /// local one among the siblings of `from` and of the structures around it.
    pub(in super::super) fn resolve(&self, from: Id, reference: &[Name<'_>]) -> Option<Id> {
        let (first, rest) = reference.split_first()?;
        let named = |scope: Id, name: &Name<'_>| self.locals.get(&(scope, name.text)).copied();
        let mut found = if first.is_global {
            self.globals.get(first.text).copied()?
        } else {
            // A track is two structures below what it moves; eight are far more than any
            // file needs, and no bound would make deep files slow.
            const LEVELS: usize = 8;
            let scopes = core::iter::successors(self.parent(from), |&scope| self.parent(scope));
            scopes.take(LEVELS).find_map(|scope| named(scope, first))?
        };
        for name in rest {
            found = named(found, name)?;
        }
        Some(found)
    }

    /// `GeometryObject $geometry1 › Mesh`: the structures around this one and itself.
    pub(in super::super) fn path(&self, id: Id) -> String {
        const SHOWN: usize = 6;
        let mut labels: Vec<String> = core::iter::successors(Some(id), |&id| self.parent(id))
            .take(SHOWN + 1)
            .map(|id| self.label(id))
            .collect();
        if labels.len() > SHOWN {
            labels[SHOWN] = "…".into();
        }
        labels.reverse();
        labels.join(" › ")
    }

    /// `Node $node3`.
    pub(in super::super) fn label(&self, id: Id) -> String {
        let structure = self.get(id);
        match structure.name {
            Some(name) => format!("{} {}", structure.kind, spelled(Some(&[name]))),
            None => structure.kind.to_owned(),
        }
    }

    /// Something wrong with a structure.
    pub(in super::super) fn error(&self, id: Id, problem: OgexProblem) -> OgexError {
        OgexError {
            line: self.get(id).line,
            structure: self.path(id),
            problem,
        }
    }
}

/// A reference as the file writes it.
pub(in super::super) fn spelled(reference: Option<&[Name<'_>]>) -> String {
    let Some(names) = reference else {
        return "null".into();
    };
    names
        .iter()
        .map(|name| format!("{}{}", if name.is_global { '$' } else { '%' }, name.text))
        .collect()
}
