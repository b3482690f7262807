//! The demonstration as plain text for people.

use std::io::{self, Write};

use dlfrm::fit::{Feature, Member};

use crate::commands::evaluate::{USUAL_COLUMNS, model_table};
use crate::table::{Table, counted};

use super::Demo;

/// No line is longer.
const WIDTH: usize = 90;
/// Members in fewer draws than this stand in brackets.
const SURE: f64 = 0.5;
/// Features that other draws find less of than this are only counted.
const STEADY: f64 = 0.3;

pub(super) fn print(demo: &Demo, out: &mut dyn Write) -> io::Result<()> {
    let Demo { nodes, links, k_mean, k_low, k_high, .. } = demo;
    underlined("Les Misérables: characters who meet", out)?;
    writeln!(out, "{nodes} characters, {links} pairs of them meet in a chapter (Knuth, 1993).")?;
    let (chains, draws) = (counted(demo.settings.chains, "chain"), counted(demo.draws, "draw"));
    writeln!(out, "{} fitted by {chains}, {draws}, {:.1} s.", demo.settings.model, demo.seconds)?;

    heading("How many features", out)?;
    writeln!(out, "K is {k_mean:.1} on average, with 90 % probability from {k_low:.0} to {k_high:.0}.")?;

    heading("Who has them", out)?;
    print_features(demo, out)?;

    heading("The most likely missing links", out)?;
    let mut table = Table::new(["", "", "probability", "90 % interval"]);
    for link in &demo.missing_links {
        let interval = format!("{:.2} to {:.2}", link.low, link.high);
        table.row([&link.source, &link.target, &format!("{:.2}", link.probability), &interval]);
    }
    write!(out, "{table}")?;

    heading("Does it predict", out)?;
    let held_out = &demo.held_out;
    wrapped(
        &format!(
            "{:.0} % of the pairs were hidden, links and non-links alike, and ranked by what was learned from \
             the others. Mean over {} such splits, the same for all (split `{}`, which leaks nothing; cn counts \
             common neighbours, aa weighs them as Adamic and Adar do):",
            100.0 * held_out.test_fraction,
            held_out.runs,
            held_out.split
        ),
        "",
        out,
    )?;
    writeln!(out)?;
    write!(out, "{}", model_table(&held_out.evaluation, &USUAL_COLUMNS))
}

fn heading(text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    underlined(text, out)
}

fn underlined(text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{text}\n{}", "-".repeat(text.chars().count()))
}

fn print_features(demo: &Demo, out: &mut dyn Write) -> io::Result<()> {
    wrapped(
        "What most draws agree on, the largest first. Members in brackets have the feature in \
         fewer than half of the other draws; the weight is what two members gain in their logit; stability \
         is how much of the feature the other draws contain, 1 at most.",
        "",
        out,
    )?;
    let steady = |feature: &&Feature| feature.size > 1 && feature.stability.is_none_or(|s| s >= STEADY);
    let (shown, passing): (Vec<_>, Vec<_>) = demo.features.iter().partition(steady);
    for (number, feature) in shown.iter().enumerate() {
        let stability = feature.stability.map_or_else(String::new, |s| format!(", stability {s:.2}"));
        let (size, weight) = (feature.size, feature.own_weight);
        writeln!(out, "\n{:3}  {size} members, weight {weight:+.1}{stability}", number + 1)?;
        wrapped(&members(feature, &demo.names), "     ", out)?;
    }
    match passing.len() {
        0 => Ok(()),
        1 => writeln!(out, "\nOne more feature has a single member or comes and goes between draws."),
        more => writeln!(out, "\n{more} more features have a single member or come and go between draws."),
    }
}

/// The members by name, or those who are missing if these are fewer.
fn members(feature: &Feature, names: &[String]) -> String {
    if 2 * feature.size > names.len() {
        let missing = names.iter().filter(|name| feature.members.iter().all(|member| member.name != **name));
        let missing: Vec<&str> = missing.map(String::as_str).collect();
        return if missing.is_empty() {
            "everyone".to_owned()
        } else {
            format!("everyone but {}", missing.join(", "))
        };
    }
    let named = |member: &Member| match member.certainty {
        Some(certainty) if certainty < SURE => format!("[{}]", member.name),
        _ => member.name.to_owned(),
    };
    feature.members.iter().map(named).collect::<Vec<_>>().join(", ")
}

/// Words in lines of at most [`WIDTH`] characters.
fn wrapped(text: &str, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && indent.len() + line.chars().count() + 1 + word.chars().count() > WIDTH {
            writeln!(out, "{indent}{line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "{indent}{line}")
}
