//! Scheduled moments.

statements! {
    NEXT_MOMENT = "\
        SELECT project, campaign, action, due_at, outcome, settled_at FROM scheduled_moment \
        WHERE outcome = 'due' ORDER BY due_at LIMIT 1";

    LIST_DUE_MOMENTS = "\
        SELECT project, campaign, action, due_at, outcome, settled_at FROM scheduled_moment \
        WHERE outcome = 'due' AND due_at <= $1 ORDER BY due_at, project, campaign, action";

    LIST_MOMENTS = "\
        SELECT project, campaign, action, due_at, outcome, settled_at FROM scheduled_moment \
        WHERE project = $1 ORDER BY due_at, campaign, action";

    PUT_MOMENT = "\
        INSERT INTO scheduled_moment (project, campaign, action, due_at, outcome) \
        VALUES ($1, $2, $3, $4, 'due') \
        ON CONFLICT (project, campaign, action, due_at) DO UPDATE SET outcome = 'due', settled_at = NULL";

    SETTLE_MOMENT = "\
        UPDATE scheduled_moment SET outcome = $1, settled_at = $2 \
        WHERE project = $3 AND campaign = $4 AND action = $5 AND due_at = $6 AND outcome = 'due'";
}
