//! Finds out whether things that refer to each other go round in circles.

/// The places of things that lead round to the first of them, or `None` if nothing does.
/// `edges[thing]` are the places it refers to.
pub(super) fn find_cycle(edges: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut is_settled = vec![false; edges.len()];
    let unsettled = |is_settled: &[bool], thing: usize| {
        edges[thing].iter().copied().find(|next| !is_settled[*next])
    };
    // Each round settles what refers to settled things only, so what is left when a round settles
    // nothing leads to a cycle.
    loop {
        let ready: Vec<usize> = (0..edges.len())
            .filter(|thing| !is_settled[*thing] && unsettled(&is_settled, *thing).is_none())
            .collect();
        if ready.is_empty() {
            break;
        }
        for thing in ready {
            is_settled[thing] = true;
        }
    }
    let mut path = vec![is_settled.iter().position(|settled| !settled)?];
    loop {
        let last = *path.last()?;
        let next = unsettled(&is_settled, last)?;
        if let Some(start) = path.iter().position(|thing| *thing == next) {
            return Some(path.split_off(start));
        }
        path.push(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_found_without_what_leads_to_it() {
        assert_eq!(find_cycle(&[vec![1], vec![2], vec![3], vec![1]]), Some(vec![1, 2, 3]));
        assert_eq!(find_cycle(&[vec![0]]), Some(vec![0]));
    }

    #[test]
    fn things_may_refer_to_the_same_thing_without_a_cycle() {
        assert_eq!(find_cycle(&[vec![1, 2], vec![3], vec![3], vec![]]), None);
        assert_eq!(find_cycle(&[]), None);
    }
}
