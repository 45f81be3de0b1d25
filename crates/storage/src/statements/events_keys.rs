//! The public keys with which servers and apps add events.

statements! {
    SET_EVENTS_KEY = "\
        INSERT INTO events_key (project, key, made_at) VALUES ($1, $2, $3) \
        ON CONFLICT (project) DO UPDATE SET key = excluded.key, made_at = excluded.made_at";

    FIND_EVENTS_KEY = "SELECT key, made_at FROM events_key WHERE project = $1";

    // One row for each project: to look at all costs less than to keep an index.
    FIND_PROJECT_OF_EVENTS_KEY = "SELECT project FROM events_key WHERE key = $1";

    REMOVE_EVENTS_KEY = "DELETE FROM events_key WHERE project = $1";
}
