//! Sorting of the many types of results. A generic sort is over a thousand lines of machine code
//! for each type; here types are compared by their places, by code that is compiled once.

use std::cmp::Ordering;

/// Sorts `items` by `compare`. Equal items keep their order.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order = sorted_places(items.len(), &|a, b| compare(&items[a], &items[b]));
    // Each place gives its item away, then takes the one that belongs there, around every cycle.
    for start in 0..items.len() {
        let mut place = start;
        loop {
            let from = std::mem::replace(&mut order[place], place);
            if from == start || from == place {
                break;
            }
            items.swap(place, from);
            place = from;
        }
    }
}

/// Returns the places of `number` items in their order. Equal items keep their order.
pub fn sorted_places(number: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..number).collect();
    places.sort_by(|&a, &b| compare(a, b));
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn items_are_sorted_as_by_the_standard_library(
            items in prop::collection::vec((0u8..20, any::<u16>()), 0..60)
        ) {
            let (mut ours, mut theirs) = (items.clone(), items);
            sort_by(&mut ours, |(a, _), (b, _)| a.cmp(b));
            theirs.sort_by_key(|(a, _)| *a);
            prop_assert_eq!(ours, theirs);
        }
    }
}
