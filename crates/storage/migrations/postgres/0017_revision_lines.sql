-- Nothing: PostgreSQL keeps large values beside their row, and lists revisions without reading them.
SELECT 1;
