//! What the comments above the rows say, as SNAP and KONECT write them: direction, two kinds of nodes, counts.

/// What a file says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Comments {
    pub(crate) nodes: Option<u64>,
    pub(crate) edges: Option<u64>,
    pub(crate) directed: Option<bool>,
    /// Whether sources and targets are two kinds of nodes, each numbered from 1, as KONECT says with `bip`.
    pub(crate) bipartite: bool,
    /// Whether it is a file of KONECT.
    konect: bool,
}

impl Comments {
    pub(crate) fn of(lines: &[String]) -> Self {
        let mut found = Self::default();
        for line in lines {
            found.see(line);
        }
        found
    }

    /// Looks at a comment such as `# Nodes: 18772 Edges: 396160`, `# Undirected graph: ...`, `% sym unweighted` or `% 45 15 12`.
    fn see(&mut self, line: &str) {
        let words: Vec<&str> = line.trim_start_matches(['#', '%', ' ']).split_ascii_whitespace().collect();
        for pair in words.windows(2) {
            match pair[0] {
                "Nodes:" => self.nodes = pair[1].parse().ok(),
                "Edges:" => self.edges = pair[1].parse().ok(),
                _ => {}
            }
        }
        match words.first() {
            Some(&"Undirected") => self.directed = Some(false),
            Some(&"Directed") => self.directed = Some(true),
            _ => {}
        }
        if !line.starts_with('%') {
            return;
        }
        match words[..] {
            [kind @ ("sym" | "asym" | "bip"), weights]
                if weights.ends_with("weighted")
                    || matches!(weights, "positive" | "signed" | "multisigned" | "dynamic") =>
            {
                self.konect = true;
                self.bipartite = kind == "bip";
                self.directed = (kind != "bip").then_some(kind == "asym");
            }
            [links, rows, columns] if self.konect => {
                let number = |word: &str| word.parse::<u64>().ok();
                if let (Some(links), Some(rows), Some(columns)) =
                    (number(links), number(rows), number(columns))
                {
                    self.edges = Some(links);
                    self.nodes =
                        Some(if self.bipartite { rows.saturating_add(columns) } else { rows.max(columns) });
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&str]) -> Comments {
        Comments::of(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn snap_and_konect_say_what_the_network_is() {
        let snap = of(&["# Undirected graph: ../data/x.txt", "# Nodes: 3\tEdges: 4"]);
        assert_eq!(
            (snap.directed, snap.nodes, snap.edges, snap.konect),
            (Some(false), Some(3), Some(4), false)
        );
        let snap = of(&["# Directed graph (each unordered pair of nodes is saved once): x"]);
        assert_eq!(snap.directed, Some(true));
        let konect = of(&["% bip multisigned", "% 45 15 12"]);
        assert_eq!((konect.bipartite, konect.directed), (true, None));
        assert_eq!((konect.nodes, konect.edges), (Some(27), Some(45)));
        assert_eq!(of(&["% sym unweighted", "% 9 4 4"]).nodes, Some(4));
        assert_eq!(of(&["% asym positive"]).directed, Some(true));
        for line in ["% 45 15 12", "# bip unweighted", "% bip", "% sym and asym", "% bip unweighted x"] {
            assert!(!of(&[line]).konect, "{line}");
        }
    }
}
