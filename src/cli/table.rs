//! Aligned columns of text.

use std::io::{self, Write};

/// Rows of cells; columns are as wide as their widest cell.
pub(super) struct Table {
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
    indent: usize,
}

impl Table {
    /// Columns by their headings; those marked `>` in front are aligned to the right.
    pub(super) fn new(indent: usize, headings: &[&str]) -> Self {
        let cells = headings
            .iter()
            .map(|text| text.trim_start_matches('>').to_owned());
        Self {
            right: headings.iter().map(|text| text.starts_with('>')).collect(),
            rows: vec![cells.collect()],
            indent,
        }
    }

    /// Adds a row with a cell for each heading.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<_> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.right.len());
        self.rows.push(cells);
    }

    /// Writes headings and rows; nothing where there are no rows.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.rows.len() < 2 {
            return Ok(());
        }
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.right.len()).map(width).collect();
        let mut line = String::new();
        for row in &self.rows {
            line.clear();
            line.extend(core::iter::repeat_n(' ', self.indent));
            for ((cell, &width), &right) in row.iter().zip(&widths).zip(&self.right) {
                let padding = width - cell.chars().count();
                let (before, after) = if right { (padding, 0) } else { (0, padding) };
                line.extend(core::iter::repeat_n(' ', before));
                line.push_str(cell);
                line.extend(core::iter::repeat_n(' ', after + 2));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A name from a file on one line: quoted, control characters escaped; `-` where
/// the file gives none.
pub(super) fn name(name: &str) -> String {
    if name.is_empty() {
        "-".to_owned()
    } else {
        format!("{name:?}")
    }
}

/// A number for reading, with at most four decimals.
pub(super) fn number(value: f32) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(2, &["name", ">n"]);
        table.row(["ä".to_owned(), "10".to_owned()]);
        table.row(["long".to_owned(), "9".to_owned()]);
        let mut out = Vec::new();
        table.write(&mut out).expect("memory takes everything");
        let text = String::from_utf8(out).expect("UTF-8");
        assert_eq!(text, "  name   n\n  ä     10\n  long   9\n");
    }

    #[test]
    fn numbers_for_reading() {
        for (value, text) in [
            (1.0, "1"),
            (-0.00001, "0"),
            (1.25, "1.25"),
            (100.0, "100"),
            (0.12345, "0.1235"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
