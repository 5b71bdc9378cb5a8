//! Work that need not wait its turn.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// `work` done for every item, with its index, by as many threads as there are cores.
pub(super) fn on_all_cores<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(items.len());
    if threads < 2 {
        return items
            .iter()
            .enumerate()
            .map(|(i, item)| work(i, item))
            .collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else {
                return done;
            };
            done.push((index, work(index, item)));
        }
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
        let mut done = take();
        for other in others {
            done.extend(other.join().expect("making a pipeline does not panic"));
        }
        done
    });
    done.sort_unstable_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let made = on_all_cores(&items, |index, &item| {
            // The first take longest, so that later ones are done before them.
            thread::sleep(std::time::Duration::from_micros(200 - 2 * item));
            (index as u64, item * item)
        });
        let expected: Vec<_> = items.iter().map(|&item| (item, item * item)).collect();
        assert_eq!(made, expected);
        assert!(on_all_cores(&[] as &[u64], |_, &item| item).is_empty());
    }
}
