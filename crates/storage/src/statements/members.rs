//! Members and their passwords.

statements! {
    ADD_MEMBER = "INSERT INTO member (email, password_hash, is_password_temporary, created_at) \
        VALUES ($1, $2, $3, $4) RETURNING id";

    LOOKUP_MEMBER = "SELECT id, email, password_hash, is_password_temporary FROM member WHERE id = $1";

    FIND_MEMBER_BY_EMAIL = "\
        SELECT id, email, password_hash, is_password_temporary FROM member \
        WHERE email = $1 AND is_service = 0";

    /// Of two who replace one password, one does.
    CHOOSE_PASSWORD = "\
        UPDATE member SET password_hash = $1, is_password_temporary = 0 \
        WHERE id = $2 AND password_hash = $3";

    RESET_PASSWORD = "\
        UPDATE member SET password_hash = $1, is_password_temporary = 1 \
        WHERE id = $2 AND is_service = 0";

    /// No password has this hash.
    END_PASSWORD = "UPDATE member SET password_hash = '', is_password_temporary = 0 WHERE id = $1";

    FIND_VOUCHER = "SELECT vouched_by FROM member WHERE id = $1 AND vouched_by <> 0";

    SET_VOUCHER = "UPDATE member SET vouched_by = $1 WHERE id = $2";

    /// For those whom a member vouched for while another person may have been that member.
    HAND_VOUCHED_ON = "UPDATE member SET vouched_by = $1 WHERE vouched_by = $2";
    DELETE_INVITATIONS_BY = "DELETE FROM invitation WHERE member = $1";

    RENEW_PASSWORD_HASH = "UPDATE member SET password_hash = $1 WHERE id = $2 AND password_hash = $3";
}
