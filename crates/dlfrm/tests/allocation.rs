//! A sweep allocates nothing per row once its memory has grown to the size of the problem.
//!
//! Every allocation of the thread is counted over sweeps 31 to 60 of a chain. What is left may grow with
//! nothing but chance (a row or the weight matrix outgrows its room), so the same few allocations a sweep
//! must do for a small network and for one with four times as many rows.

#![allow(
    unsafe_code,
    reason = "a global allocator cannot be written without it; it only counts and passes on"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use dlfrm::chain::Chain;
use dlfrm::generate::{GenerateSettings, generate};
use dlfrm::model::{Model, Settings};
use dlfrm::network::Pairs;

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
/// Allocations a sweep, on average, whatever the number of rows.
const MOST: f64 = 8.0;

/// Mean number of allocations a sweep, and the number of features at the end.
fn allocations(model: Model, directed: bool, entities: usize) -> (f64, usize) {
    let made = generate(&GenerateSettings { entities, directed, ..GenerateSettings::default() }).unwrap();
    let pairs = Pairs::new(entities, !directed, made.network.observed());
    let settings = Settings {
        model,
        c_pos: 1.0,
        c_neg: 1.0,
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
    let before = COUNT.get();
    for _ in 0..COUNTED {
        chain.sweep();
    }
    ((COUNT.get() - before) as f64 / COUNTED as f64, chain.state().features.active())
}

#[test]
fn a_sweep_allocates_nothing_per_row() {
    let mut told = Vec::new();
    for model in Model::ALL {
        for directed in [true, false] {
            for entities in [25, 100] {
                let (mean, features) = allocations(model, directed, entities);
                let figure =
                    format!("{model}, directed {directed}, {entities} entities, K {features}: {mean:.2}");
                println!("{figure} allocations a sweep");
                assert!(entities < 100 || features > 2, "{figure}: too few features to show anything");
                if mean > MOST {
                    told.push(figure);
                }
            }
        }
    }
    assert!(told.is_empty(), "more than {MOST} allocations a sweep: {}", told.join("; "));
}

#[test]
fn allocations_are_counted() {
    let before = COUNT.get();
    drop(std::hint::black_box(vec![1_u8; 100]));
    assert!(COUNT.get() > before);
}
