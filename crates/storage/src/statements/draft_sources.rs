//! The project files that drafts were applied from.

statements! {
    SET_DRAFT_SOURCE = "\
        INSERT INTO draft_source (project, text, draft_tag) \
        SELECT id, $1, $2 FROM project WHERE id = $3 AND draft_version = $4 \
        ON CONFLICT (project) DO UPDATE SET text = excluded.text, draft_tag = excluded.draft_tag";

    FIND_DRAFT_SOURCE = "SELECT text, draft_tag FROM draft_source WHERE project = $1";
}
