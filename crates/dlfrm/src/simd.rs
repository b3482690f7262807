//! Code compiled for the widest vectors of the machine.

#![expect(clippy::inline_always, reason = "pulp's dispatch works by inlining")]

/// Independent sums of a vectorised loop: as many numbers as the widest vectors hold.
pub(crate) const LANES: usize = 8;

/// Runs code compiled for the widest instructions of the machine; the closure and everything it calls must be
/// `#[inline(always)]` for that. (`Arch::dispatch` takes a closure too, but calls it through a shim that the
/// compiler need not inline, and then the body is compiled for the oldest machines.)
#[inline(always)]
pub(crate) fn with_simd<R>(work: impl FnMut() -> R) -> R {
    struct Work<F>(F);
    impl<R, F: FnMut() -> R> pulp::WithSimd for Work<F> {
        type Output = R;

        #[inline(always)]
        fn with_simd<S: pulp::Simd>(mut self, _: S) -> R {
            (self.0)()
        }
    }
    pulp::Arch::new().dispatch(Work(work))
}
