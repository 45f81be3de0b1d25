//! Campaigns in bulk: the minifier would take most of its time for data of which it can make nothing, so it is not shown them.

use crate::literal::Literal;

/// With fewer values than this, the minifier is quick. It makes texts a little shorter than we do.
const VALUES_MIN: usize = 10_000;

/// A list of campaigns, and the lists that have been taken out of it: what the snippet holds under [`crate::literal::DATA_LIST`].
/// Campaigns with the member's code stay, since that is minified.
pub(crate) fn take_out(campaigns: Vec<Literal>) -> (Vec<Literal>, Vec<Literal>) {
    if !has_many_values(&campaigns) {
        return (campaigns, Vec::new());
    }
    let (mut rest, mut lists) = (Vec::new(), Vec::new());
    let mut run = Vec::new();
    let mut end_run = |run: &mut Vec<Literal>, rest: &mut Vec<Literal>| {
        if !run.is_empty() {
            rest.push(Literal::Data(lists.len()));
            lists.push(Literal::List(std::mem::take(run)));
        }
    };
    for campaign in campaigns {
        if campaign.has_code() {
            end_run(&mut run, &mut rest);
            rest.push(campaign);
        } else {
            run.push(campaign);
        }
    }
    end_run(&mut run, &mut rest);
    (rest, lists)
}

/// Counts no further than it has to.
fn has_many_values(campaigns: &[Literal]) -> bool {
    let mut values = 0;
    campaigns.iter().any(|campaign| {
        values += campaign.values();
        values >= VALUES_MIN
    })
}

#[cfg(test)]
mod tests {
    use super::{VALUES_MIN, take_out};
    use crate::literal::Literal;

    #[test]
    fn campaigns_with_code_stay_in_their_places() {
        let data = || Literal::List(vec![Literal::Number(7); VALUES_MIN / 2]);
        let code = || Literal::List(vec![Literal::Code(3)]);

        let (rest, lists) = take_out(vec![data(), data(), code(), code(), data()]);

        let printed = Literal::List(rest).to_string();
        assert_eq!(
            printed,
            "[...projectData[0],[memberCode[3]],[memberCode[3]],...projectData[1]]"
        );
        assert_eq!(lists, [Literal::List(vec![data(), data()]), Literal::List(vec![data()])]);
    }

    #[test]
    fn few_campaigns_are_left_to_the_minifier() {
        let few = vec![Literal::List(vec![Literal::Number(7); 100])];

        assert_eq!(take_out(few.clone()), (few, Vec::new()));
    }
}
