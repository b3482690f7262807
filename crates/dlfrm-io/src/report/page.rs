//! The page: one file of HTML with its style, its script and its data inside.

use super::Report;
use crate::visible;

const TEMPLATE: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");
/// One script; a later part uses what the earlier ones define.
const SCRIPTS: [&str; 6] = [
    include_str!("assets/plot.js"),
    include_str!("assets/curves.js"),
    include_str!("assets/matrices.js"),
    include_str!("assets/network.js"),
    include_str!("assets/table.js"),
    include_str!("assets/page.js"),
];

/// The page of a report.
pub fn page(report: &Report<'_>) -> serde_json::Result<String> {
    let data = serde_json::to_string(report)?;
    let script = SCRIPTS.concat();
    Ok(fill(
        TEMPLATE,
        &[
            ("title", &escaped(&visible(report.network))),
            ("style", STYLE),
            ("data", &inside_script(&visible_in_json(&data))),
            ("script", &script),
        ],
    ))
}

/// Whether a page begins as a report does.
pub fn is_report(head: &str) -> bool {
    let mut parts = TEMPLATE.split("{{title}}");
    let before = parts.next().unwrap_or_default();
    let title = parts.next().and_then(|rest| rest.lines().next()).unwrap_or_default();
    // What stands before the title may change from version to version.
    let first = before.lines().next().unwrap_or_default();
    head.starts_with(first) && head.contains(title)
}

/// The colours of the page by name, for light and dark screens: other drawings look the same.
pub fn palette() -> &'static str {
    STYLE.split("\n* {").next().expect("a text has a first part")
}

/// Puts texts in the place of their names in `{{...}}`. What is put in is not looked through again.
fn fill(template: &str, texts: &[(&str, &str)]) -> String {
    let mut parts = template.split("{{");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("the template closes what it opens");
        let (_, text) =
            texts.iter().find(|(known, _)| *known == name).expect("the template names known texts");
        page.push_str(text);
        page.push_str(rest);
    }
    page
}

/// JSON whose texts show the codes of characters that a reader would not see (see [`visible`]).
fn visible_in_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    let mut rest = json.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            shown.push(c);
            continue;
        }
        // The writer of JSON has codes for control characters alone.
        match rest.next() {
            Some(code @ ('u' | 'b' | 'f' | 'r')) => shown.extend(['\\', '\\', code]),
            other => shown.extend([Some('\\'), other].into_iter().flatten()),
        }
    }
    // What is left is doubled here: it is text, not a code.
    let mut all = String::with_capacity(shown.len());
    for c in shown.chars() {
        match visible(c.encode_utf8(&mut [0; 4])) {
            std::borrow::Cow::Borrowed(_) => all.push(c),
            std::borrow::Cow::Owned(code) => all.extend(["\\", &code]),
        }
    }
    all
}

/// JSON that no name can break out of: a `<` may end a script, and stands in texts of JSON alone.
fn inside_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Text as text of HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_nobody_sees_are_shown_as_codes() {
        let name = "a\u{1b}[2J\u{202e}b\"\\n\u{8}";
        let json = visible_in_json(&serde_json::to_string(name).unwrap());
        let read: String = serde_json::from_str(&json).unwrap();
        assert_eq!(read, "a\\u001b[2J\\u202eb\"\\n\\b");
    }

    #[test]
    fn what_is_put_in_is_left_alone() {
        let page = fill("<{{a}}>{{b}}{{a}}!", &[("a", "{{b}}"), ("b", "x")]);
        assert_eq!(page, "<{{b}}>x{{b}}!");
    }

    #[test]
    fn no_name_ends_the_script() {
        let json = serde_json::to_string("</script><!--").unwrap();
        let safe = inside_script(&json);
        assert!(!safe.contains('<'));
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), "</script><!--");
        assert_eq!(escaped("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
    }

    /// The page makes no requests: no address, no file beside it.
    #[test]
    fn the_page_stands_alone() {
        let assets =
            SCRIPTS.iter().chain([&TEMPLATE, &STYLE]).map(|asset| asset.replace("http://www.w3.org/", ""));
        for asset in assets {
            for outside in ["http:", "https:", "src=", "url(", "@import", "fetch(", "XMLHttpRequest"] {
                assert!(!asset.contains(outside), "{outside}");
            }
        }
    }
}
