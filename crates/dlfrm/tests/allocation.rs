//! A sweep allocates nothing per row once its memory has grown to the size of the problem.
//!
//! Every allocation of the thread is counted over sweeps 31 to 60 of a chain. The same few allocations must do for nine
//! sweeps of ten, in a small network and in one with four times as many rows: in the tenth there may be more features than
//! ever before, and everything outgrows its room.

#![allow(
    unsafe_code,
    reason = "a global allocator cannot be written without it; it only counts and passes on"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use dlfrm::generate::{GenerateSettings, generate};
use dlfrm::model::{Model, Settings};
use dlfrm::network::Pairs;
use dlfrm::testing::Chain;

/// The system's allocator with a counter in front.
struct Counting;

thread_local! {
    /// Allocations of this thread: other threads (the test harness has some) do not disturb the count.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    COUNT.with(|count| count.set(count.get() + 1));
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const WARM_UP: usize = 30;
const COUNTED: usize = 30;
/// Allocations of nine sweeps of ten, whatever the number of rows.
const MOST: u64 = 8;

/// What nine sweeps of ten allocate at most, and the number of features at the end.
fn allocations(model: Model, directed: bool, nodes: usize) -> (u64, usize) {
    let made = generate(&GenerateSettings { nodes, directed, ..GenerateSettings::default() }).unwrap();
    let pairs = Pairs::new(nodes, !directed, made.network.observed());
    let settings = Settings {
        model,
        c_pos: 1.0,
        c_neg: 1.0,
        // Covariates leave little to explain: without these there would be few features.
        alpha: 5.0,
        nu: 0.5,
        intercept: true,
        // The costs of an annealed start rise during the warm-up only.
        burn_in: WARM_UP,
        ..Settings::default()
    };
    let settings = settings.check().unwrap();
    let mut chain = Chain::new(&pairs, &settings, 0).unwrap();
    for _ in 0..WARM_UP {
        chain.sweep();
    }
    let mut counts: Vec<u64> = (0..COUNTED)
        .map(|_| {
            let before = COUNT.get();
            chain.sweep();
            COUNT.get() - before
        })
        .collect();
    counts.sort_unstable();
    (counts[COUNTED * 9 / 10 - 1], chain.state().features.active())
}

#[test]
fn a_sweep_allocates_nothing_per_row() {
    let mut found = Vec::new();
    for model in Model::ALL {
        for directed in [true, false] {
            for nodes in [25, 100] {
                let (most, features) = allocations(model, directed, nodes);
                let figure = format!("{model}, directed {directed}, {nodes} nodes, K {features}: {most}");
                println!("{figure} allocations per sweep");
                assert!(nodes < 100 || features > 2, "{figure}: too few features to show anything");
                if most > MOST {
                    found.push(figure);
                }
            }
        }
    }
    assert!(found.is_empty(), "more than {MOST} allocations per sweep: {}", found.join("; "));
}

#[test]
fn allocations_are_counted() {
    let before = COUNT.get();
    drop(std::hint::black_box(vec![1_u8; 100]));
    assert!(COUNT.get() > before);
}
