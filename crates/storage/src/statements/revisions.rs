//! Revisions and their snippets.

statements! {
    LIVE_REVISION = "\
        SELECT number, document, document_hash, snippet_hash, javascript, brotli, gzip, author, message, \
            restored_from, created_at \
        FROM revision JOIN project ON project.id = revision.project \
        WHERE project.id = $1 AND revision.number = project.live_revision";

    /// By the index of hashes: nothing of a revision is read.
    IS_SNIPPET_LIVE = "\
        SELECT 1 FROM revision JOIN project ON project.id = revision.project \
        WHERE revision.project = $1 AND revision.snippet_hash = $2 AND revision.number = project.live_revision";

    LOOKUP_REVISION = "\
        SELECT number, document, document_hash, snippet_hash, javascript, brotli, gzip, author, message, \
            restored_from, created_at \
        FROM revision WHERE project = $1 AND number = $2";

    LOOKUP_REVISION_DOCUMENT = "SELECT document FROM revision WHERE project = $1 AND number = $2";

    LOOKUP_REVISION_LINE = "\
        SELECT number, document_hash, snippet_hash, length(brotli), author, message, restored_from, created_at \
        FROM revision WHERE project = $1 AND number = $2";

    /// Lengths are stored before their data: nothing of a snippet is read.
    FIND_SNIPPET = "\
        SELECT octet_length(javascript), octet_length(brotli), octet_length(gzip) \
        FROM revision WHERE project = $1 AND snippet_hash = $2 LIMIT 1";

    READ_JAVASCRIPT = "SELECT javascript FROM revision WHERE project = $1 AND snippet_hash = $2 LIMIT 1";

    READ_BROTLI = "SELECT brotli FROM revision WHERE project = $1 AND snippet_hash = $2 LIMIT 1";

    READ_GZIP = "SELECT gzip FROM revision WHERE project = $1 AND snippet_hash = $2 LIMIT 1";

    LIST_REVISIONS = "\
        SELECT number, document_hash, snippet_hash, length(brotli), author, message, restored_from, created_at \
        FROM revision WHERE project = $1 ORDER BY number DESC LIMIT $2 OFFSET $3";

    NEXT_REVISION_NUMBER = "SELECT COALESCE(MAX(number), 0) + 1 FROM revision WHERE project = $1";

    ADD_REVISION = "\
        INSERT INTO revision \
            (project, number, document, document_hash, snippet_hash, javascript, brotli, gzip, author, message, \
            restored_from, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";

    GO_LIVE = "UPDATE project SET live_revision = $1, managed_by = $2 WHERE id = $3";

    /// Those of deleted projects are 0.
    LIST_LIVE_NUMBERS = "\
        SELECT id, live_revision FROM project WHERE live_revision > 0 \
        UNION ALL SELECT id, 0 FROM deleted_project";
}
