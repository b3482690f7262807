//! Boxes around nodes and their names that do not cover each other.

const ROUNDS: usize = 2_000;

/// A box around a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around {
    /// Half of its width.
    pub(super) side: f64,
    pub(super) above: f64,
    pub(super) below: f64,
}

impl Around {
    pub(super) fn area(&self) -> f64 {
        2.0 * self.side * (self.above + self.below)
    }
}

/// Moves places until no two boxes cover each other; each pair is moved along the axis where less is to be moved.
/// Every move adds to the area, so it ends: those that are left after the last round are few and small.
pub(super) fn apart(at: &mut [[f64; 2]], boxes: &[Around]) {
    for _ in 0..ROUNDS {
        let mut moved = false;
        for i in 0..at.len() {
            for j in 0..i {
                let Some(by) = overlap(at, boxes, i, j) else { continue };
                moved = true;
                // Those that stand at one place go apart by their numbers.
                for axis in 0..2 {
                    at[i][axis] += 0.5 * by[axis];
                    at[j][axis] -= 0.5 * by[axis];
                }
            }
        }
        if !moved {
            return;
        }
    }
}

/// How `i` has to move away from `j`, if their boxes cover each other.
fn overlap(at: &[[f64; 2]], boxes: &[Around], i: usize, j: usize) -> Option<[f64; 2]> {
    // A hair more than needed, so that rounding does not bring the pair back.
    const MORE: f64 = 0.01;
    let (one, other) = (boxes[i], boxes[j]);
    let across = at[i][0] - at[j][0];
    let beside = one.side + other.side - across.abs();
    // From the box above to the one below.
    let below = at[i][1] >= at[j][1];
    let (upper, lower) = if below { (other.below, one.above) } else { (one.below, other.above) };
    let over = upper + lower - (at[i][1] - at[j][1]).abs();
    if beside <= 0.0 || over <= 0.0 {
        return None;
    }
    Some(if beside < over {
        [if across >= 0.0 { beside + MORE } else { -beside - MORE }, 0.0]
    } else {
        [0.0, if below { over + MORE } else { -over - MORE }]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_moved_apart() {
        let boxes: Vec<Around> = (0..60)
            .map(|k| Around { side: 10.0 + f64::from(k % 7) * 5.0, above: 6.0, below: 18.0 })
            .collect();
        // All in one heap.
        let mut at: Vec<[f64; 2]> = (0..60).map(|k| [f64::from(k * 7 % 11), f64::from(k * 5 % 13)]).collect();
        apart(&mut at, &boxes);
        for i in 0..60 {
            for j in 0..i {
                assert_eq!(overlap(&at, &boxes, i, j), None, "{i} {j}");
            }
        }
        let area: f64 = boxes.iter().map(Around::area).sum();
        let size = |axis: usize| {
            let all = at.iter().map(|at| at[axis]);
            all.clone().fold(f64::MIN, f64::max) - all.fold(f64::MAX, f64::min)
        };
        assert!(size(0) * size(1) < 4.0 * area, "{} {} {area}", size(0), size(1));
    }
}
