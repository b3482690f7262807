//! What the comment lines of a SNAP file say about it.

use super::fields::{Delimiter, Fields};

/// Whether a line is blank or a comment.
pub(crate) fn skipped(line: &str) -> bool {
    matches!(line.trim_ascii_start().bytes().next(), None | Some(b'#' | b'%'))
}

/// Counts and direction as the comments give them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Comments {
    nodes: Option<u64>,
    edges: Option<u64>,
    undirected: bool,
    /// Comments among the rows that could be rows themselves.
    like_rows: u64,
}

impl Comments {
    /// Looks at a comment such as `# Nodes: 18772 Edges: 396160` or `# Undirected graph: ...`.
    pub(crate) fn see(&mut self, line: &str) {
        let mut words = line.trim_start_matches(['#', '%', ' ']).split_ascii_whitespace();
        let mut first = true;
        while let Some(word) = words.next() {
            match word {
                "Nodes:" => self.nodes = words.next().and_then(|count| count.parse().ok()),
                "Edges:" => self.edges = words.next().and_then(|count| count.parse().ok()),
                "Undirected" if first => self.undirected = true,
                _ => {}
            }
            first = false;
        }
    }

    /// Looks at a comment below the first row: one that has as many columns as a row may be a row.
    pub(crate) fn see_below(&mut self, line: &str, delimiter: Delimiter, needed: usize) {
        let mut fields = Fields::default();
        // A remark has a space, or more than one mark, before its words.
        let word = matches!(line.trim_ascii_start().as_bytes(),
            [mark, next, ..] if !next.is_ascii_whitespace() && next != mark);
        if word && fields.cut(line, delimiter).is_ok() && fields.len() == needed {
            self.like_rows += 1;
        }
    }

    /// Where the file is not what its comments say. `nodes` is unknown if the user declared the entities.
    pub(crate) fn remarks(self, nodes: Option<usize>, rows: u64, directed: bool) -> Vec<String> {
        let mut all = Vec::new();
        let mut compare = |said: Option<u64>, found: Option<u64>, what: &str, of: &str| {
            if let (Some(said), Some(found)) = (said, found)
                && said != found
            {
                all.push(format!("a comment in the file says {said} {what}, but there are {found} {of}"));
            }
        };
        compare(self.nodes, nodes.map(|count| count as u64), "nodes", "entities");
        compare(self.edges, Some(rows), "edges", "rows");
        match self.like_rows {
            0 => {}
            1 => all.push("1 line among the rows begins with # or % and was skipped as a comment".to_owned()),
            count => all
                .push(format!("{count} lines among the rows begin with # or % and were skipped as comments")),
        }
        if self.undirected && directed {
            all.push("a comment in the file says it is undirected, but it was read as directed".to_owned());
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snap_comments_are_compared_with_the_file() {
        let mut comments = Comments::default();
        comments.see("# Undirected graph: ../data/x.txt");
        comments.see("# Nodes: 3\tEdges: 4");
        assert_eq!(comments.remarks(Some(3), 4, false), Vec::<String>::new());
        let remarks = comments.remarks(Some(3), 2, true);
        assert_eq!(remarks[0], "a comment in the file says 4 edges, but there are 2 rows");
        assert_eq!(remarks.len(), 2);
        comments.see("# Directed graph (each unordered pair of nodes is saved once): x");
        comments.see("#Nodes: many");
        assert_eq!(comments.remarks(Some(1), 4, false), Vec::<String>::new());
    }

    #[test]
    fn blank_lines_and_comments_are_skipped() {
        for line in ["", "  ", "\t", "# a b", "%a", "  # a"] {
            assert!(skipped(line), "{line}");
        }
        assert!(!skipped("a # b"));
    }
}
