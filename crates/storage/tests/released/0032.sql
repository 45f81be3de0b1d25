-- A store in use, as schema 30 kept it. Both databases take these statements once `X'…'` is spelled as each of them spells bytes.
-- The hashes are those of the words behind them.

INSERT INTO member (email, password_hash, created_at, is_password_temporary) VALUES
    ('ann@example.com', '$argon2id$ann', 1799999000000, 0),
    ('bob@example.com', '$argon2id$bob', 1799999000000, 1);

-- session
INSERT INTO session (hash, member, seen_at, expires_at, id, started_at, browser) VALUES
    (X'3f3af1ecebbd1410ab417ec0d27bbfcb5d340e177ae159b59fc8626c2dfd9175', 1, 1799999000000, 1802591000000, 'one', 1799999000000, 'Firefox on Linux');

INSERT INTO client (client_id, name, kind, redirect_uris, origin, disabled_at, scope) VALUES
    ('reports', 'The reports', 'confidential', 'https://reports.example/cb', 'command', NULL, 'config:read publish'),
    ('phone', 'The phone', 'public', 'https://phone.example/cb', 'project_file', NULL, NULL);

-- secret, second
INSERT INTO client_secret (client_id, id, hash, note, created_at, last_used_at) VALUES
    ('reports', 'aaaa', X'2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b', 'the first', 1799999000000, 1799999000000),
    ('reports', 'bbbb', X'16367aacb67a4a017c8da8ab95682ccb390863780f7114dda0a0e0c55644c7c4', '', 1799999000001, NULL);

INSERT INTO consent (member, client_id, scope, allowed_at) VALUES
    (1, 'reports', 'config:read audit:read', 1799999000000);

-- code
INSERT INTO authorization_code (hash, client_id, member, redirect_uri, scope, code_challenge, expires_at) VALUES
    (X'5694d08a2e53ffcae0c3103e5ad6f6076abd960eb1f8a56577040bc1028f702b', 'reports', 1, 'https://reports.example/cb', 'config:read', NULL, 1800000060000);

-- spent code, ended code
INSERT INTO token_family (code, client_id, member, scope, generation, seen_generation, expires_at, ends_at, ended_at, last_used_at) VALUES
    (X'c1a89b6af8c5a80753af72563f1a48f0e52b4a911b1c11cf7a99673e2ffd5586', 'reports', 1, 'config:read audit:read', 1, 1, 1815551000000, 1831535000000, NULL, 1799999000000),
    (X'bca64a3b7c92feef7fc54a848105024f98cd70807c983dd192a8043f5010dd0b', 'reports', 1, 'config:read', 0, 0, 1799999000000, 1831535000000, 1799999000000, 1799999000000);

-- spent refresh, old refresh, ended refresh
INSERT INTO refresh_token (hash, family, generation) VALUES
    (X'c505a366a781c3798ed0e3963eb88acec4b02a037df20f0265b8dcfa2498a75b', 1, 0),
    (X'515aac88eef5a7ce24a2e16ef3ed7226de1d423ea9c68f5c570b4debd8672382', 1, 1),
    (X'ec9dab35a2a53020b114cd87aa0ccdf6791ba0dfb1249cbf4d15c0b0b41a7980', 2, 0);

-- old access, ended access
INSERT INTO access_token (hash, family, generation, scope, expires_at) VALUES
    (X'd7df645e760f39abe5eeb4e3ebb2e1714be31238f5858471ff5c923412258af1', 1, 1, 'config:read audit:read', 1800006200000),
    (X'e16e6570c81478ba5ad97c8b2f585477ae864579d571469f2b42825d2136df59', 2, 0, 'config:read', 1800006200000);

INSERT INTO member_role (member, project, role, code) VALUES
    (1, -1, 'owner', 1),
    (2, 1000, 'viewer', 0);

INSERT INTO project (id, key, name, live_revision, draft, draft_version, managed_by, is_archived) VALUES
    (1000, 'shop', 'The shop', 2, '{"key":"shop","name":"The new shop"}', 5, 'store', 0),
    (1001, 'blog', NULL, 1, '{"key":"blog"}', 1, 'file', 0);

-- request, body
INSERT INTO idempotent_answer (hash, request, answer, expires_at, lease) VALUES
    (X'1f58b9145b24d108d7ac38887338b3ea3229833b9c1e418250343f907bfd1047', X'230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5', '{}', 1900000000000, 77);

INSERT INTO revision (project, number, document, document_hash, snippet_hash, javascript, brotli, gzip, author, message, restored_from, created_at) VALUES
    (1000, 1, '{"key":"shop"}', NULL, 'aaaa', 'first();', X'0001ff', X'', 'ann@example.com', 'It''s the first', NULL, 1799999000000),
    (1000, 2, '{"key":"shop","name":"The shop"}', 'dddd', 'bbbb', 'second();', X'0002ff', X'1f8b', 'ann@example.com', 'Größer', 1, 1799999000001),
    (1001, 1, '{"key":"blog"}', 'eeee', 'cccc', 'blog();', X'', X'', 'shop.yaml', '', NULL, 1799999000000);

INSERT INTO scheduled_moment (project, campaign, action, due_at, outcome, settled_at) VALUES
    (1000, 3001, 'start', 1799999000000, 'done', 1799999000000),
    (1000, 3001, 'stop', 1900000000000, 'due', NULL);

INSERT INTO resource_stamp (project, resource, created_at, updated_at, updated_by, live_updated_at, live_updated_by) VALUES
    (1000, 'page 2001', 1799999000000, 1799999000001, 'ann@example.com', 1799999000000, 'ann@example.com'),
    (1000, 'project', NULL, 1799999000001, 'ann@example.com', NULL, NULL);

INSERT INTO resource_change (project, resource, draft_version, kind, changed_at, changed_by, fields) VALUES
    (1000, 'page 2001', 4, 'created', 1799999000000, 'ann@example.com', '[]'),
    (1000, 'page 2001', 5, 'changed', 1799999000001, 'ann@example.com', '[{"pointer":"/name","before":"Größer","after":null}]');

INSERT INTO signing_key (id, key) VALUES (1, X'0707070707070707070707070707070707070707070707070707070707070707');

INSERT INTO audit_entry (at, event, actor, member, client_id, address, detail, count, minute, project, entity, change, request_id, seal, prev_hash, hash) VALUES
    (1799999000000, 'session.started', 'member', 1, '', '192.0.2.7', 'Firefox on Linux', 1, NULL, 0, '', '', '', 1, X'0000000000000000000000000000000000000000000000000000000000000000', X'cd1590c2a99bbca9a873b7b702d46ef92640fee8e0d8b607df59ae90692082bb'),
    (1799998980000, 'client.refused', 'unknown', 0, 'reports', '192.0.2.9', '', 12, NULL, 0, '', '', '', 2, X'cd1590c2a99bbca9a873b7b702d46ef92640fee8e0d8b607df59ae90692082bb', X'2693c61b5ff151a7aa670602ff362ceefa697879033849945966fde0416ac730'),
    (1799999000001, 'application.removed', 'command', 0, 'gone', '', 'The "gone" one', 1, NULL, 0, '', '', '', 3, X'2693c61b5ff151a7aa670602ff362ceefa697879033849945966fde0416ac730', X'99542ad6ab58a449a8c2bab16fc0fe7fee5a9d820e4ece471732937168ec0174'),
    (1799999000002, 'draft.changed', 'member', 1, '', '192.0.2.7', '', 1, NULL, 1000, 'page 2001', '[{"op":"remove","path":"/name"}]', 'abc', NULL, NULL, NULL);

INSERT INTO passkey (credential_id, id, member, credential, name, added_at, last_used_at) VALUES
    (X'010203', 'pass', 1, '{"counter":3}', 'Phone', 1799999000000, 1799999000000);

-- challenge
INSERT INTO spent_challenge (hash, expires_at) VALUES (X'2dd00bd77e0222ced882665481a9c1d9f907309d16e05ed007a1ea63928477a9', 1799999300000);

INSERT INTO preview_link (id, project, url, variations, is_switchable, is_draft, member, made_by, made_at, expires_at, revoked_at, last_opened_at) VALUES
    ('00112233445566778899aabb', 1000, 'https://shop.example/', '5002 5012', 1, 1, 1, 'ann@example.com', 1799999000000, 1900000000000, NULL, 1799999000000);

INSERT INTO member (email, password_hash, is_service, created_at) VALUES ('deploy', '', 1, 1799999000000);

INSERT INTO api_token (id, hash, member, name, scope, made_by, made_at, expires_at, last_used_at) VALUES
    ('00112233445566778899aabb', X'0101010101010101010101010101010101010101010101010101010101010101', 3, 'deploy', 'config:read publish', 'ann@example.com', 1799999000000, 1806000000000, NULL);

INSERT INTO installation (project, origin, first_seen_at, last_seen_at) VALUES
    (1000, 'https://shop.example', 1799999000000, 1799999000001);

INSERT INTO invitation (id, hash, email, project, role, code, member, made_by, made_at, expires_at) VALUES
    ('aabbccddeeff001122334455', X'0202020202020202020202020202020202020202020202020202020202020202', 'cleo@example.com', 1000, 'editor', 1, 1, 'ann@example.com', 1799999000000, 1800603800000);
INSERT INTO identity (issuer, subject, member, linked_at) VALUES ('https://id.example', 'ann-1', 1, 1799999000000);
INSERT INTO event_log (project, received_at, events, body, last_at) VALUES (1000, 1799999000000, 1, X'5b5d', 1799998000000);
INSERT INTO event_file (project, name, day, events, bytes, first_at, last_at, received_until, sealed_at) VALUES (1000, 'project=1000/day=2027-01-15/00.parquet', 20833, 3, 700, 1799990000000, 1799991000000, 1799991000500, 1799992000000);
INSERT INTO results_link (id, hash, project, campaign, member, made_by, made_at, expires_at) VALUES ('ccddeeff0011223344556677', X'0303030303030303030303030303030303030303030303030303030303030303', 1000, 3001, 1, 'ann@example.com', 1799999000000, 1802591000000);
INSERT INTO events_key (project, key, made_at) VALUES (1000, 'assay_ek_one', 1799999000000);
INSERT INTO sent_event_file (sink, project, name) VALUES ('0011', 1000, 'project=1000/day=2027-01-15/00.parquet');
INSERT INTO webhook (id, project, url, description, events, is_enabled, off_because, nonce, former_nonce, former_until, made_by, made_at, version) VALUES ('aa11', 1000, 'https://hooks.example/in', 'Slack', 'campaign.started', 1, '', 'n2', 'n1', 1800000000000, 'ann@example.com', 1799999000000, 2);
INSERT INTO webhook_delivery (webhook, message, event, body, made_at, due_at, leased_until, attempts, outcome, attempted_at, status, took_ms, answer) VALUES ('aa11', 'msg_1', 'campaign.started', '{}', 1799999000000, 1799999300000, 0, 1, 'due', 1799999000100, 500, 20, 'busy');
INSERT INTO announced_result (project, experiment, event, announced_at) VALUES (1000, 4001, 'results.decided', 1799999000000);
INSERT INTO draft_source (project, text, draft_tag) VALUES (1000, '# The shop
version: 1 # É
', '"0011"');
INSERT INTO earlier_webhook_attempt (webhook, message, attempted_at, status, took_ms, answer) VALUES ('aa11', 'msg_1', 1799999000050, NULL, 5000, 'no answer in time');
INSERT INTO deleted_project (id, deleted_at) VALUES (1002, 1799999000000);
INSERT INTO lost_event_day (project, day, events, received_until) VALUES (1000, 20832, 12, 1799900000000);
