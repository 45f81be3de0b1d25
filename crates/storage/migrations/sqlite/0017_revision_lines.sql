-- What lists of revisions show, apart from the documents and snippets: SQLite reads those page by page to come to the columns behind them.
CREATE INDEX revision_line ON revision (
    project, number, document_hash, snippet_hash, length(brotli), author, message, restored_from, created_at
);
