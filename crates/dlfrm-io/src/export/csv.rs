//! Tables as CSV: groups, members and links.

use super::{Export, ExportedLink};

/// The files of an export with their names.
pub fn csv_files(export: &Export<'_>) -> [(&'static str, String); 4] {
    let nodes = &export.model.nodes;
    let mut groups = "group,size,own_weight,stability\n".to_owned();
    let bipartite = export.model.modes().is_some();
    let mut members = format!("group,node,probability{}\n", if bipartite { ",mode" } else { "" });
    for feature in &export.features {
        let stability = feature.stability.map_or(String::new(), |stability| stability.to_string());
        groups += &line(&[
            &feature.number.to_string(),
            &feature.size.to_string(),
            &feature.own_weight.to_string(),
            &stability,
        ]);
        for member in &feature.members {
            let certainty = member.certainty.map_or(String::new(), |certainty| certainty.to_string());
            let mode = nodes.get(member.name).and_then(|node| export.mode(node)).unwrap_or_default();
            let cells = [&feature.number.to_string(), member.name, &certainty, mode];
            members += &line(&cells[..if bipartite { 4 } else { 3 }]);
        }
    }
    let row = |link: &ExportedLink, why: bool| {
        let [source, target] = [link.source, link.target].map(|id| nodes.name(id));
        let [mean, low, high] =
            [link.prediction.mean, link.prediction.low, link.prediction.high].map(|value| value.to_string());
        let cells = [source, target, &mean, &low, &high, &link.why];
        line(&cells[..if why { 6 } else { 5 }])
    };
    let mut links = "source,target,probability,low,high\n".to_owned();
    let mut predicted = "source,target,probability,low,high,why\n".to_owned();
    for link in &export.links {
        if link.predicted {
            predicted += &row(link, true);
        } else {
            links += &row(link, false);
        }
    }
    [("groups.csv", groups), ("members.csv", members), ("links.csv", links), ("predicted.csv", predicted)]
}

fn line(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    cells.join(",") + "\n"
}

/// A cell that every reader of CSV, and ours, takes for the same text.
fn quoted(cell: &str) -> String {
    let special = cell.contains([',', '"', '\n', '\r', ';', '\t']);
    if special || cell.starts_with(['#', '%', ' ']) || cell.ends_with(' ') {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must() {
        assert_eq!(line(&["a", "b c", "d,e", "f \"g\"", "#h"]), "a,b c,\"d,e\",\"f \"\"g\"\"\",\"#h\"\n");
    }
}
