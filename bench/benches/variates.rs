//! Nanoseconds per draw of PG(b, z) and of the inverse Gaussian, one thread. Run with
//! `cargo bench -p dlfrm-bench --bench variates`.

use std::hint::black_box;

use dlfrm::random::{Purpose, stream};
use dlfrm::testing::{PolyaGamma, inverse_gaussian};
use dlfrm_bench::seconds;

const DRAWS: u32 = 1_000_000;

fn main() {
    let mut rng = stream(1, 0, 0, Purpose::Augment, 0);
    let tilts = [0.0, 1.0, 5.0, 20.0];
    println!("PG(b, z), ns per draw (wanted: at most 300)");
    println!("{:>6} {}", "b", tilts.map(|z| format!("{:>8}", format!("z = {z}"))).join(""));
    for b in [0.1, 0.3, 1.0, 3.0, 10.0] {
        let variate = PolyaGamma::new(b).expect("b is positive");
        let times = tilts.map(|z| {
            let time = seconds(|| {
                for _ in 0..DRAWS {
                    black_box(variate.sample(black_box(z), &mut rng));
                }
            });
            format!("{:>8.1}", 1e9 * time / f64::from(DRAWS))
        });
        println!("{b:>6} {}", times.join(""));
    }
    let time = seconds(|| {
        for _ in 0..DRAWS {
            black_box(inverse_gaussian(black_box(0.7), 1.0, &mut rng));
        }
    });
    println!("inverse Gaussian: {:.1}", 1e9 * time / f64::from(DRAWS));
}
