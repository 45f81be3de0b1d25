//! Audiences and the trees that experiments make of them.

use domain::{
    Audience, AudienceId, AudienceTree, Audiences, BehaviorEvent, CodeRole, Condition,
    ConditionKind, ConditionTree, Project,
};

use super::{Config, number, running, unique};
use crate::literal::Literal;

/// The audiences that running experiments refer to, directly or through another audience, in the order they are first met.
pub(crate) fn used(project: &Project) -> Vec<&Audience> {
    let mut ids = Vec::new();
    for experiment in running(project).flat_map(|campaign| &campaign.experiments) {
        if let Audiences::Tree(tree) = &experiment.audiences {
            referred(tree, &mut ids);
        }
    }
    let mut audiences: Vec<&Audience> = Vec::new();
    let mut place = 0;
    let mut ids = unique(ids);
    while let Some(id) = ids.get(place).copied() {
        let audience = find(project, id);
        refers_to(&audience.conditions.tree, &mut ids);
        ids = unique(ids);
        audiences.push(audience);
        place += 1;
    }
    audiences
}

fn find(project: &Project, id: AudienceId) -> &Audience {
    let mut audiences = project.audiences.iter();
    audiences.find(|audience| audience.id == id).expect("validation resolved every audience")
}

fn referred(tree: &AudienceTree, ids: &mut Vec<AudienceId>) {
    match tree {
        AudienceTree::Audience(id) => ids.push(*id),
        AudienceTree::And(operands) | AudienceTree::Or(operands) => {
            for operand in operands {
                referred(operand, ids);
            }
        }
        AudienceTree::Not(operand) => referred(operand, ids),
    }
}

fn refers_to(tree: &ConditionTree, ids: &mut Vec<AudienceId>) {
    match tree {
        ConditionTree::And(operands) | ConditionTree::Or(operands) => {
            for operand in operands {
                refers_to(operand, ids);
            }
        }
        ConditionTree::Not(operand) => refers_to(operand, ids),
        ConditionTree::Leaf(Condition { kind: ConditionKind::Audience(id), .. }) => ids.push(*id),
        ConditionTree::Leaf(_) | ConditionTree::Empty => {}
    }
}

/// The conditions of those audiences.
pub(crate) fn conditions(project: &Project) -> impl Iterator<Item = &Condition> {
    used(project).into_iter().flat_map(|audience| audience.conditions.tree.leaves())
}

/// What the audiences in use ask of the visitor's earlier behaviour, each once.
pub(super) fn behaviors(project: &Project) -> Vec<String> {
    let behaviors = conditions(project).filter_map(|condition| condition.behavior.as_ref());
    let mut names: Vec<String> = behaviors.map(|behavior| name_of(&behavior.event)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// As the page keeps it.
fn name_of(event: &BehaviorEvent) -> String {
    match event {
        BehaviorEvent::Event(name) => format!("e{name}"),
        BehaviorEvent::Page(id) => format!("p{id}"),
    }
}

impl<'p> Config<'p> {
    pub(super) fn audience(&mut self, audience: &'p Audience) -> Literal {
        let conditions = self.conditions(&audience.conditions.tree);
        // The runtime looks through the conditions of an audience as through a list.
        let is_one = matches!(audience.conditions.tree, ConditionTree::Leaf(_));
        let conditions = if is_one { Literal::List(vec![conditions]) } else { conditions };
        Literal::tuple(vec![
            Literal::Number(audience.id.get()),
            self.name(audience.name.as_deref()),
            conditions,
        ])
    }

    fn conditions(&mut self, tree: &'p ConditionTree) -> Literal {
        match tree {
            ConditionTree::Empty => Literal::List(Vec::new()),
            ConditionTree::Leaf(leaf) => self.condition(leaf),
            ConditionTree::And(operands) => self.operator("and", operands),
            ConditionTree::Or(operands) => self.operator("or", operands),
            ConditionTree::Not(operand) => {
                let operand = self.conditions(operand);
                Literal::List(vec![Literal::Text("not".to_owned()), operand])
            }
        }
    }

    fn operator(&mut self, word: &str, operands: &'p [ConditionTree]) -> Literal {
        let operator = Literal::Text(word.to_owned());
        let operands = operands.iter().map(|operand| self.conditions(operand));
        Literal::List(std::iter::once(operator).chain(operands).collect())
    }

    fn condition(&mut self, leaf: &'p Condition) -> Literal {
        let mut fields = vec![("type", Literal::Text(leaf.kind.word().to_owned()))];
        if let Some(name) = &leaf.name {
            fields.push(("name", Literal::Text(name.clone())));
        }
        if let Some(match_kind) = leaf.match_kind {
            fields.push(("match", Literal::Text(match_kind.word().to_owned())));
        }
        if let ConditionKind::Audience(id) = leaf.kind {
            fields.push(("value", self.audience_place(id)));
        } else if let Some(behavior) = &leaf.behavior {
            fields.push(("name", Literal::Text(name_of(&behavior.event))));
            let numbers = [behavior.at_least, behavior.within_days].into_iter();
            let numbers =
                numbers.chain(behavior.at_most).map(|number| Literal::Number(number.into()));
            fields.push(("value", Literal::List(numbers.collect())));
        } else if let Some(body) = leaf.code.as_deref() {
            fields.push(("code", self.code(CodeRole::Condition, Some(body))));
        } else if let Some(value) = &leaf.value {
            fields.push(("value", Literal::Json(value.clone())));
        }
        Literal::Object(fields)
    }

    pub(super) fn audience_tree(&self, tree: &AudienceTree) -> Literal {
        let list = |word: &str, operands: &[AudienceTree]| {
            let operator = Literal::Text(word.to_owned());
            let operands = operands.iter().map(|operand| self.audience_tree(operand));
            Literal::List(std::iter::once(operator).chain(operands).collect())
        };
        match tree {
            AudienceTree::Audience(id) => self.audience_place(*id),
            AudienceTree::And(operands) => list("and", operands),
            AudienceTree::Or(operands) => list("or", operands),
            AudienceTree::Not(operand) => {
                Literal::List(vec![Literal::Text("not".to_owned()), self.audience_tree(operand)])
            }
        }
    }

    fn audience_place(&self, id: AudienceId) -> Literal {
        number(*self.audience_places.get(&id).expect("every referred audience was collected"))
    }
}
