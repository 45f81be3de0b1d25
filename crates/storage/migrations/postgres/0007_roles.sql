-- What members may do: one role each for the whole server (`project` -1) and for any project. `role` is `viewer`, `analyst`, `editor`,
-- `publisher`, `admin` or `owner`; `code` is 1 where they may write custom code and redirects. Who was a member before there were
-- roles could do everything, and goes on to.
CREATE TABLE member_role (
    member BIGINT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
    project BIGINT NOT NULL,
    role TEXT NOT NULL,
    code BIGINT NOT NULL,
    PRIMARY KEY (member, project)
);
INSERT INTO member_role (member, project, role, code) SELECT id, -1, 'owner', 1 FROM member;
