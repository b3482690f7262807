//! Nanoseconds per draw of PG(b, z) and of the inverse Gaussian, one by one and in batches, one thread. Run with
//! `cargo bench -p dlfrm-bench --bench variates`.

use std::hint::black_box;

use dlfrm::random::{Purpose, stream};
use dlfrm::testing::{PolyaGamma, fill_inverse_gaussian, inverse_gaussian};
use dlfrm_bench::seconds;

const DRAWS: usize = 1 << 20;
/// Draws of a batch.
const BATCH: usize = 1 << 10;

fn main() {
    let mut rng = stream(1, 0, 0, Purpose::Augment, 0);
    let tilts = [0.0, 1.0, 5.0, 20.0];
    println!("PG(b, z), ns per draw: one by one, in batches (wanted: at most 40)");
    println!("{:>6} {}", "b", tilts.map(|z| format!("{:>16}", format!("z = {z}"))).join(""));
    for b in [0.1, 0.15, 0.3, 1.0, 1.5, 3.0, 10.0] {
        let variate = PolyaGamma::new(b).expect("b is positive");
        let times = tilts.map(|z| {
            let single = nanoseconds(|| {
                for _ in 0..DRAWS {
                    black_box(variate.sample(black_box(z), &mut rng));
                }
            });
            let batch = nanoseconds(|| {
                for _ in 0..DRAWS / BATCH {
                    let mut values = black_box([z; BATCH]);
                    variate.fill(&mut values, &mut rng);
                    black_box(values);
                }
            });
            format!("{single:>8.1}{batch:>8.1}")
        });
        println!("{b:>6} {}", times.join(""));
    }
    let single = nanoseconds(|| {
        for _ in 0..DRAWS {
            black_box(inverse_gaussian(black_box(0.7), 1.0, &mut rng));
        }
    });
    let batch = nanoseconds(|| {
        for _ in 0..DRAWS / BATCH {
            let mut values = black_box([0.7; BATCH]);
            fill_inverse_gaussian(&mut values, 1.0, &mut rng);
            black_box(values);
        }
    });
    println!("inverse Gaussian: {single:.1} one by one, {batch:.1} in batches");
}

/// Nanoseconds per draw of something that makes all draws.
fn nanoseconds(work: impl FnOnce()) -> f64 {
    1e9 * seconds(work) / DRAWS as f64
}
