//! Planted networks are what was asked for: degrees, mixing, groups, and plain errors where that cannot be.

use std::collections::HashSet;

use super::*;
use crate::error::Error;

/// Links inside and outside of a node's groups.
fn ends(planted: &Planted) -> Vec<(u32, u32)> {
    let groups = planted.memberships();
    let mut ends = vec![(0, 0); planted.network.len()];
    for &(i, j) in planted.network.links() {
        let inside = memberships::common(&groups[i as usize], &groups[j as usize]);
        for node in [i, j] {
            let (inner, outer) = &mut ends[node as usize];
            *if inside { inner } else { outer } += 1;
        }
    }
    ends
}

fn check(settings: &PlantedSettings, most: u32) -> Planted {
    let planted = plant(settings).unwrap();
    let (count, links) = (settings.nodes, planted.network.links());
    let distinct: HashSet<_> = links.iter().collect();
    assert!(distinct.len() == links.len() && links.iter().all(|(i, j)| i < j));
    let mean = 2.0 * links.len() as f64 / count as f64;
    assert!((mean / settings.mean_degree - 1.0).abs() < 0.02, "{settings:?}: mean degree {mean}");
    let mixing = planted.mixing();
    assert!((mixing - settings.mixing).abs() < 0.03 * settings.mixing, "{settings:?}: mixing {mixing}");
    // A node's own share is as close as whole links can be; parities and lost links move few of them.
    let ends = ends(&planted);
    assert!(ends.iter().all(|&(inner, outer)| (1..=most).contains(&(inner + outer))));
    let off = |&(inner, outer): &(u32, u32)| {
        (f64::from(outer) - settings.mixing * f64::from(inner + outer)).abs() > 1.0
    };
    assert!(ends.iter().filter(|node| off(node)).count() <= count / 10, "{settings:?}");
    let groups = planted.memberships();
    let several = groups.iter().filter(|own| own.len() == settings.memberships).count();
    assert_eq!(several, settings.overlapping);
    assert!(groups.iter().all(|own| own.len() == 1 || own.len() == settings.memberships));
    planted
}

#[test]
fn small_networks_are_what_was_asked_for() {
    for mixing in [0.1, 0.3] {
        for overlapping in [0, 40, 100] {
            for seed in 1..=5 {
                let settings = PlantedSettings { mixing, overlapping, seed, ..PlantedSettings::default() };
                let planted = check(&settings, 25);
                let sizes = || planted.groups.iter().map(Vec::len);
                assert!(sizes().all(|size| (10..=50).contains(&size)));
                assert_eq!(sizes().sum::<usize>(), 200 + overlapping);
            }
        }
    }
}

#[test]
fn settings_decide() {
    let settings = PlantedSettings {
        nodes: 600,
        mean_degree: 15.0,
        max_degree: Some(60),
        group_size: Some((30, 80)),
        mixing: 0.4,
        overlapping: 150,
        memberships: 3,
        ..PlantedSettings::default()
    };
    let planted = check(&settings, 60);
    assert!(planted.groups.iter().all(|group| (30..=80).contains(&group.len())));
    let largest = ends(&planted).iter().map(|(inner, outer)| inner + outer).max().unwrap();
    assert!(largest > 50, "the tail of the power law is reached: {largest}");
    // All degrees are the same, all groups too, and no link leaves them.
    let even = PlantedSettings {
        mean_degree: 6.0,
        max_degree: Some(6),
        group_size: Some((20, 20)),
        mixing: 0.0,
        ..PlantedSettings::default()
    };
    let planted = plant(&even).unwrap();
    assert_eq!((planted.groups.len(), planted.mixing(), planted.network.links().len()), (10, 0.0, 600));
    // All links leave the groups.
    let planted = plant(&PlantedSettings { mixing: 1.0, ..PlantedSettings::default() }).unwrap();
    assert_eq!(planted.mixing(), 1.0);
}

#[test]
fn seeds_decide_and_threads_do_not() {
    let make = |threads, seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let settings = PlantedSettings { overlapping: 30, seed, ..PlantedSettings::default() };
        let planted = pool.install(|| plant(&settings)).unwrap();
        (planted.network.links().to_vec(), planted.groups)
    };
    assert_eq!(make(1, 1), make(4, 1));
    assert_ne!(make(1, 1).0, make(1, 2).0);
}

#[test]
fn large_networks_are_planted_too() {
    let settings = PlantedSettings {
        nodes: 50_000,
        mean_degree: 20.0,
        group_size: Some((20, 120)),
        mixing: 0.2,
        overlapping: 10_000,
        ..PlantedSettings::default()
    };
    let planted = check(&settings, 50);
    assert!((900..1300).contains(&planted.groups.len()), "{}", planted.groups.len());
}

#[test]
fn mistakes_are_named() {
    let message = |settings: PlantedSettings| plant(&settings).unwrap_err().to_string();
    let plain = PlantedSettings::default();
    let cases = [
        (PlantedSettings { nodes: 1, ..plain.clone() }, "nodes must be from 2 to 10000000, is 1"),
        (
            PlantedSettings { mean_degree: 200.0, ..plain.clone() },
            "mean-degree must be from 1 to the number of other nodes, is 200",
        ),
        (PlantedSettings { mixing: 1.5, ..plain.clone() }, "mixing must be from 0 to 1, is 1.5"),
        (
            PlantedSettings { degree_exponent: f64::NAN, ..plain.clone() },
            "degree-exponent must be from 0 to 10, is NaN",
        ),
        (
            PlantedSettings { overlapping: 201, ..plain.clone() },
            "overlapping must be at most the number of nodes, is 201",
        ),
        (PlantedSettings { memberships: 0, ..plain.clone() }, "memberships must be from 1 to 1000, is 0"),
        (
            PlantedSettings { max_degree: Some(9), ..plain.clone() },
            "max-degree must be from the mean degree to the number of other nodes, is 9",
        ),
        (
            PlantedSettings { group_size: Some((30, 20)), ..plain.clone() },
            "group-size must be two numbers in order, from 2 to the number of nodes, is 30 20",
        ),
    ];
    for (settings, expected) in cases {
        assert_eq!(message(settings), expected);
    }
}

#[test]
fn what_no_network_can_have_is_refused() {
    let refused = |settings: PlantedSettings| match plant(&settings) {
        Err(Error::Infeasible(why)) => why,
        Err(other) => panic!("{settings:?}: {other}"),
        Ok(planted) => panic!("{settings:?}: {} links", planted.network.links().len()),
    };
    let plain = PlantedSettings { mixing: 0.1, ..PlantedSettings::default() };
    let small = refused(PlantedSettings { group_size: Some((5, 8)), ..plain.clone() });
    assert!(small.starts_with("a node with 10 links has 9.0 of them in a group, but the largest"), "{small}");
    let hub = refused(PlantedSettings { max_degree: Some(100), ..plain.clone() });
    assert!(hub.contains("100 links has 90.0 of them"), "{hub}");
    let rest = refused(PlantedSettings { group_size: Some((30, 30)), ..plain.clone() });
    assert_eq!(rest, "200 memberships cannot be divided into groups of 30 to 30");
    let few = refused(PlantedSettings {
        group_size: Some((150, 200)),
        overlapping: 50,
        memberships: 3,
        ..plain.clone()
    });
    assert!(few.starts_with("there are at most 2 groups"), "{few}");
    let hubs = PlantedSettings { mean_degree: 2.5, max_degree: Some(60), ..plain.clone() };
    let low = refused(PlantedSettings { group_size: Some((20, 80)), ..hubs });
    assert!(low.starts_with("degrees from 1 to 60 with exponent 2 have a mean above 2.5"), "{low}");
    // Nine of ten nodes fit into groups of 24 only, and few groups are so large.
    let tight = PlantedSettings {
        mean_degree: 22.0,
        max_degree: Some(24),
        group_size: Some((10, 24)),
        ..plain.clone()
    };
    let tight = refused(PlantedSettings { mixing: 0.05, ..tight });
    assert!(tight.starts_with("groups of 10 to 24 members have no room"), "{tight}");
    // Two groups with all nodes in both: no pair is apart.
    let both = PlantedSettings { group_size: Some((200, 200)), overlapping: 200, mixing: 0.3, ..plain };
    let both = refused(both);
    assert!(both.contains("links between groups find no partner"), "{both}");
}
