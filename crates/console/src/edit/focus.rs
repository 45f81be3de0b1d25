//! Where the focus is after a button changed a form: at the element that it was about, which [`super::form::Form`] knows, or at a button.
//! Without it, a member without a mouse would begin at the top of the page again.

/// The same form with the focus at the button that was pressed, or where that is gone with its element, at the one that adds to its list.
pub(super) fn with_focus(mut form: String, act: &str) -> String {
    let place = find_button(&form, act).or_else(|| {
        let (list, _) = act.strip_prefix("remove ")?.rsplit_once('/')?;
        find_button(&form, &format!("add {list}"))
    });
    if let Some(place) = place {
        form.insert_str(place, " autofocus");
    }
    form
}

/// Where the attributes of a button end that has this act, perhaps with a word for what it adds.
fn find_button(form: &str, act: &str) -> Option<usize> {
    let value = format!(" value=\"{act}");
    let mut places = form.match_indices(&value).map(|(place, _)| place);
    places.find(|place| form[place + value.len()..].starts_with([' ', '"']))
}

#[cfg(test)]
mod tests {
    use super::with_focus;

    const FORM: &str = r#"<button name="act" value="up /list/0">Up</button><button name="act" value="up /list/01">Up</button><button name="act" value="add /list text">Text</button>"#;

    /// The text of the button that has the focus.
    fn focused(act: &str) -> Option<String> {
        let form = with_focus(FORM.to_owned(), act);
        let (_, behind) = form.split_once(" autofocus")?;
        let (attributes, _) = behind.split_once('<')?;
        Some(attributes.trim_start().to_owned())
    }

    #[test]
    fn the_button_that_was_pressed_keeps_the_focus() {
        assert_eq!(focused("up /list/0").as_deref(), Some(r#"value="up /list/0">Up"#));
    }

    #[test]
    fn after_the_last_element_is_removed_a_button_that_adds_one_has_it() {
        assert_eq!(focused("remove /list/0").as_deref(), Some(r#"value="add /list text">Text"#));
    }

    #[test]
    fn an_act_that_no_button_has_moves_no_focus() {
        for act in ["", "show", "remove", "remove /other/0", "up /list/9"] {
            assert_eq!(focused(act), None, "{act}");
        }
    }
}
