//! Links that show results.

statements! {
    /// One row, or none where $9 links of the project work already.
    ADD_RESULTS_LINK = "\
        INSERT INTO results_link (id, hash, project, campaign, member, made_by, made_at, expires_at) \
        SELECT $1, $2, $3, $4, $5, $6, $7, $8 \
        WHERE (SELECT COUNT(*) FROM results_link WHERE project = $3 AND expires_at > $7) < $9";

    FIND_RESULTS_LINK = "\
        SELECT id, project, campaign, member, made_by, made_at, expires_at \
        FROM results_link WHERE hash = $1";

    LIST_RESULTS_LINKS = "\
        SELECT id, project, campaign, member, made_by, made_at, expires_at \
        FROM results_link WHERE project = $1 ORDER BY made_at DESC, id";

    REMOVE_RESULTS_LINK = "DELETE FROM results_link WHERE project = $1 AND id = $2";

    REMOVE_ALL_RESULTS_LINKS = "DELETE FROM results_link";
}
