//! Finds cycles of resources that refer to each other.

/// The places of the resources of a cycle, or `None` if there is none. `edges[resource]` are the places it refers to.
pub(super) fn find_cycle(edges: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut is_settled = vec![false; edges.len()];
    let unsettled = |is_settled: &[bool], resource: usize| {
        edges[resource].iter().copied().find(|next| !is_settled[*next])
    };
    // Each round settles the resources that refer to settled ones only; when a round settles none, the rest leads to a cycle.
    loop {
        let ready: Vec<usize> = (0..edges.len())
            .filter(|resource| {
                !is_settled[*resource] && unsettled(&is_settled, *resource).is_none()
            })
            .collect();
        if ready.is_empty() {
            break;
        }
        for resource in ready {
            is_settled[resource] = true;
        }
    }
    let mut path = vec![is_settled.iter().position(|settled| !settled)?];
    loop {
        let last = *path.last()?;
        let next = unsettled(&is_settled, last)?;
        if let Some(start) = path.iter().position(|resource| *resource == next) {
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
    fn things_may_refer_to_the_same_resource_without_a_cycle() {
        assert_eq!(find_cycle(&[vec![1, 2], vec![3], vec![3], vec![]]), None);
        assert_eq!(find_cycle(&[]), None);
    }
}
