//! Counts what a piece of work allocates. Whoever includes this file gets the
//! counting allocator for its whole program.

#![allow(
    unsafe_code,
    reason = "a global allocator can be counted in no other way; this one only forwards"
)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

thread_local! {
    /// Allocations by this thread; other tests run on threads of their own.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator with a counter.
struct Counting;

// SAFETY: every call goes to the system's allocator unchanged. The counter neither
// allocates nor has a destructor, so touching it here cannot recurse.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `work` allocates, or grows an allocation.
pub fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}
