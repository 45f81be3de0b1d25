//! The contract of every store, as facts over `&dyn Store`, and what is particular to SQLite (`sqlite.rs`) and to PostgreSQL
//! (`postgres.rs`), which `cluster.rs` finds.
//!
//! A fact that is not in the list below fails the build as dead code. Each adapter runs the whole list.
#![cfg(test)]

mod access_tokens;
mod api_tokens;
mod audit;
mod audit_chain;
mod audit_tampering;
mod authorization_codes;
mod backups;
mod client_secrets;
mod clients;
mod cluster;
mod connections;
mod damaged_backups;
mod damaged_rows;
mod deleted_projects;
mod draft_sources;
mod endings;
mod events;
mod events_keys;
mod given;
mod idempotency;
mod identities;
mod installations;
mod invitations;
mod load;
mod members;
mod newest_moment;
mod passkeys;
mod postgres;
mod preview_links;
mod projects;
mod refresh_tokens;
mod released;
mod resource_changes;
mod results_links;
mod revisions;
mod revocation;
mod roles;
mod rotation;
mod rotation_model;
mod schedules;
mod sessions;
mod signing_keys;
mod sqlite;
mod vouching;
mod webhooks;

/// Makes two tests of each fact.
macro_rules! facts {
    ($($topic:ident: $($fact:ident)+;)+) => {
        mod contract_on_sqlite {
            $(mod $topic {
                $(#[tokio::test]
                async fn $fact() {
                    let folder = tempfile::tempdir().unwrap();
                    let store = crate::given::sqlite(folder.path());
                    crate::$topic::$fact(&store).await;
                })+
            })+
        }

        mod contract_on_postgres {
            $(mod $topic {
                $(#[tokio::test]
                async fn $fact() {
                    let store = crate::cluster::Database::new().await.store().await;
                    crate::$topic::$fact(&store).await;
                })+
            })+
        }
    };
}

facts! {
    access_tokens:
        a_token_opens_for_two_hours
        an_unknown_token_opens_nothing
        only_an_access_token_opens;
    api_tokens:
        a_token_opens_for_its_member_until_it_expires
        a_token_of_a_service_opens_with_the_services_roles_and_is_no_member
        a_removed_token_opens_nothing_and_takes_its_service_with_it
        a_service_loses_one_role_and_goes_with_the_last
        a_service_may_do_nothing_once_its_token_is_gone
        the_use_of_a_token_is_known_to_an_hour
        what_ends_all_that_acts_for_a_member_ends_their_tokens
        a_token_is_made_only_while_what_its_maker_acts_with_is_good
        no_token_that_is_made_while_all_else_ends_survives
        a_service_outlives_the_member_who_made_its_token
        the_end_of_everything_removes_tokens_and_services
        a_service_signs_as_no_other_does
        the_list_tells_the_roles_of_services
        an_admin_of_a_project_finds_the_services_that_reach_it_page_by_page
        a_member_has_so_many_tokens_no_matter_who_made_them
        a_member_makes_so_many_services_and_an_operator_any_number
        tokens_are_listed_those_made_last_first;
    audit:
        an_entry_records_who_did_what_to_whom_when_and_from_where
        a_search_finds_what_a_person_did_and_what_was_done_about_them
        a_search_is_narrowed_by_project_event_and_time
        failed_changes_are_not_in_the_audit_log
        replay_and_reuse_are_written_down_once
        reuse_of_a_refresh_token_is_written_down
        revocations_by_clients_are_in_the_audit_log
        each_change_of_an_application_is_written_down
        sessions_are_written_down_as_they_start_and_end
        the_end_of_everything_is_written_down
        refusals_of_a_minute_are_one_entry
        the_log_is_read_page_by_page_the_newest_first;
    audit_chain:
        entries_are_sealed_once_one_after_the_other
        a_count_is_sealed_when_its_minute_is_over_and_what_comes_late_is_another_entry
        concurrent_sealers_seal_each_entry_once
        as_many_as_there_are_are_sealed_a_part_at_a_time
        the_log_shows_what_an_entry_is_sealed_with
        the_first_entry_since_a_moment_is_found;
    authorization_codes:
        a_code_becomes_tokens_of_its_scope
        a_code_is_exchanged_once
        a_code_may_be_kept_again_until_it_is_spent
        of_twelve_exchanges_at_once_one_succeeds
        a_replay_ends_the_family
        a_replay_ends_the_family_also_after_rotation
        another_clients_try_spends_and_ends_nothing
        an_old_code_is_expired
        a_code_of_a_clock_that_was_far_ahead_is_expired
        a_wrong_redirect_uri_is_refused_and_spends_nothing
        a_wrong_verifier_is_refused_and_spends_nothing
        a_verifier_without_a_challenge_is_refused
        an_unknown_code_is_refused
        tokens_are_no_codes
        a_consent_is_remembered_beside_earlier_ones;
    clients:
        a_client_comes_back_as_it_was_added
        a_client_id_is_taken_once
        a_declared_client_replaces_itself
        a_declared_client_keeps_what_is_known_of_a_secret_that_stays
        a_disabled_client_stays_disabled_when_it_is_declared_again
        an_unknown_client_is_not_found
        clients_are_listed_page_by_page_with_all_their_secrets
        what_is_changed_of_a_client_as_it_was_seen_leaves_the_rest
        a_scope_that_changed_meanwhile_is_not_overwritten
        a_client_that_was_declared_meanwhile_is_not_changed
        tokens_of_a_disabled_client_open_nothing_until_it_is_enabled
        a_removed_client_takes_everything_with_it;
    client_secrets:
        a_client_has_two_secrets_at_most
        an_unknown_client_gets_no_secret
        the_use_of_a_secret_is_noted_once_a_minute
        tokens_of_a_client_without_any_secret_open_nothing
        tokens_of_a_public_client_need_no_secret;
    connections:
        a_member_sees_what_they_allowed_since_when_and_its_last_use
        the_last_use_is_known_to_an_hour
        disconnecting_ends_consent_codes_and_tokens
        disconnecting_leaves_other_members_and_applications_alone;
    deleted_projects:
        a_deleted_project_is_live_no_more_and_others_stay
        no_project_gets_the_id_of_a_deleted_one_and_its_key_is_free
        a_project_that_is_not_as_it_was_seen_is_not_deleted
        what_comes_for_a_deleted_project_is_not_kept
        nothing_is_added_to_a_deleted_project
        nothing_that_is_added_while_a_project_is_deleted_is_left;
    draft_sources:
        a_draft_has_one_source_byte_for_byte_and_a_new_one_takes_its_place;
    events:
        logged_events_come_back_in_their_order_by_project
        a_part_of_the_log_is_read_at_a_time_and_no_row_is_too_large
        events_are_moved_from_the_log_into_files_at_once
        rows_of_the_log_between_those_that_go_stay
        what_another_process_has_moved_is_not_moved_again
        a_file_takes_the_place_of_others_and_is_there_once
        logs_tell_their_oldest_events_and_those_can_be_deleted
        logged_events_that_came_long_after_they_happened_are_as_old_as_they_are
        the_weight_of_events_counts_log_and_files
        a_sink_has_taken_a_file_that_was_made_of_files_it_has_taken
        days_keep_in_mind_how_many_events_were_lost_with_their_files;
    events_keys:
        a_project_has_one_events_key_and_a_new_one_takes_its_place;
    idempotency:
        a_repeated_request_gets_the_answer_again
        what_was_given_up_or_forgotten_may_be_done_again
        a_renewed_lease_keeps_the_key
        a_renewal_that_comes_late_leaves_the_answer
        a_request_that_was_given_up_leaves_the_key_to_its_new_owner
        an_answer_is_kept_whose_key_was_cleaned_away
        of_twelve_with_one_key_one_is_done;
    installations:
        a_site_is_known_since_its_first_load_and_until_its_last
        the_last_twenty_sites_of_each_project_are_known;
    invitations:
        an_invitation_comes_back_as_it_was_made
        an_admin_of_projects_is_shown_the_invitations_to_them
        an_invitation_makes_one_member
        who_invites_vouches_for_the_address
        an_expired_or_removed_invitation_makes_no_member
        an_invitation_of_a_member_changes_nothing
        an_invitation_gives_a_member_its_role_and_lowers_none
        an_invitation_gives_a_member_nothing_that_the_inviter_may_not_give
        an_invitation_ends_with_the_right_of_the_member_who_made_it
        an_admin_of_a_project_takes_its_share_of_the_invitations_and_no_more
        so_many_invitations_wait_and_the_end_of_everything_ends_them;
    results_links:
        a_results_link_comes_back_as_it_was_made_and_goes_when_it_is_revoked
        so_many_results_links_of_a_project_work_and_the_end_of_everything_ends_them;
    identities:
        the_first_sign_in_links_an_identity_for_good
        an_identity_is_one_members_and_a_member_is_one_person
        an_answer_of_a_provider_signs_in_once
        a_reset_lets_a_member_link_another_identity
        a_forgotten_password_ends_the_link_to_an_identity;
    load:
        running_and_waiting_operations_are_counted;
    members:
        a_member_is_found_by_address_and_id
        an_address_is_taken_once
        the_first_member_is_added_once
        an_unknown_member_is_not_found
        a_changed_password_ends_all_other_sessions
        a_password_is_changed_from_what_it_is_in_a_session_that_is_alive
        a_reset_password_ends_all_that_acts_for_the_member
        no_sign_in_in_flight_outlives_a_reset
        a_temporary_password_becomes_ones_own_with_the_first_session
        a_password_chosen_with_the_only_session_ends_all_else
        a_password_hash_is_renewed_unless_it_changed_meanwhile;
    newest_moment:
        an_empty_store_knows_no_moment
        the_newest_moment_is_that_of_whatever_came_last
        a_database_on_a_server_tells_its_own_time;
    passkeys:
        a_passkey_is_found_with_its_member
        a_passkey_is_added_once_and_its_challenge_answered_once
        a_member_has_twenty_passkeys_at_most
        a_sign_in_with_a_passkey_moves_it_on
        a_challenge_signs_in_only_once
        a_passkey_that_moved_on_or_is_gone_does_not_sign_in
        a_member_renames_and_removes_only_their_own
        all_passkeys_of_a_member_go_with_all_that_acts_for_them
        no_passkey_sign_in_in_flight_outlives_the_removal_of_all;
    preview_links:
        a_link_comes_back_as_it_was_made
        a_project_lists_its_links_those_made_last_first
        a_revoked_link_is_known_as_such_from_the_answer_on
        a_link_is_revoked_once_and_only_as_one_of_its_project
        that_a_link_was_opened_is_known_to_an_hour
        a_project_has_so_many_links_and_forgets_the_oldest_that_ended
        the_end_of_everything_revokes_links;
    refresh_tokens:
        a_kept_token_refreshes_for_weeks
        a_kept_token_may_be_used_by_many_at_once
        a_token_that_was_not_used_for_half_a_year_is_expired
        a_token_is_expired_after_a_year_of_use
        a_token_of_a_clock_that_was_far_ahead_is_expired
        another_client_cannot_refresh_and_ends_nothing
        a_narrower_scope_narrows_one_access_token_only
        a_wider_scope_is_refused_and_changes_nothing
        a_client_gets_no_more_than_it_may_be_given_now
        a_client_that_may_be_given_nothing_of_the_grant_keeps_it
        codes_and_access_tokens_do_not_refresh
        an_ended_family_does_not_refresh;
    rotation:
        each_refresh_replaces_the_token
        a_lost_answer_can_be_fetched_again
        an_answer_that_was_taken_for_lost_and_comes_ends_the_family
        a_spent_token_may_come_again_for_ten_minutes
        a_spent_token_ends_the_family_once_the_next_access_token_was_used
        a_spent_token_ends_the_family_once_its_successor_was_used
        a_token_two_generations_old_ends_the_family
        of_tokens_asked_for_at_once_the_first_that_is_used_goes_on
        a_lost_answer_takes_those_asked_for_at_once_along
        reuse_ends_no_other_family
        of_twelve_refreshes_at_once_one_successor_lives
        a_replay_among_refreshes_and_uses_leaves_nothing
        refreshes_and_uses_at_once_never_fork_a_family;
    endings:
        a_token_in_use_is_closed_by_its_revocation
        tokens_in_use_are_closed_by_reuse
        a_token_in_use_expires
        everything_can_be_ended
        no_use_at_the_same_time_keeps_a_token_open;
    revocation:
        a_revoked_refresh_token_ends_the_family
        a_revoked_access_token_goes_alone
        a_replaced_refresh_token_still_ends_its_family
        a_client_revokes_only_its_own_tokens
        a_refresh_token_tells_what_it_can_give_while_it_can
        a_replaced_refresh_token_can_give_nothing_once_its_successor_was_seen;
    sessions:
        a_session_belongs_to_its_member
        a_session_ends_when_it_is_idle
        a_session_that_is_used_lasts_a_month
        a_removed_session_is_gone
        a_sign_in_ends_the_session_it_replaces
        a_member_sees_the_sessions_that_are_not_over
        a_member_ends_one_session
        a_member_ends_all_other_sessions;
    revisions:
        revisions_are_numbered_within_their_project
        publishing_the_same_again_changes_nothing
        any_difference_is_a_new_revision
        old_revisions_stay_as_they_were
        a_snippet_is_read_in_the_encoding_that_is_asked_for
        what_was_published_is_live_at_once
        revisions_are_listed_page_by_page_the_newest_first
        nothing_goes_live_that_was_made_from_something_else
        the_draft_stays_or_follows_as_the_publication_says
        a_publication_is_in_the_log_with_its_number
        of_twelve_publications_from_one_basis_one_goes_live;
    projects:
        a_new_project_has_a_draft_and_nothing_live
        a_project_id_is_taken_once
        a_draft_changes_only_from_its_present_version
        of_twelve_changes_of_one_version_one_is_stored
        projects_are_listed_page_by_page
        a_key_belongs_to_one_project;
    resource_changes:
        a_draft_is_stored_with_what_it_changes
        a_resource_that_comes_back_was_created_when_it_was
        the_history_of_a_resource_is_read_page_by_page_the_newest_first
        a_publication_stores_what_its_draft_changes
        the_history_of_a_project_has_changes_and_publications_the_newest_first;
    roles:
        roles_come_back_as_they_were_given
        members_are_listed_by_address_with_all_their_roles
        an_admin_of_projects_is_shown_who_reaches_them
        changed_roles_count_from_the_answer_on
        roles_change_only_from_what_they_were_seen_to_be
        a_higher_role_for_the_server_ends_all_that_acts_for_the_member
        a_higher_role_in_a_project_ends_nothing_that_acts_for_the_member
        the_last_owner_stays
        of_two_owners_who_demote_each_other_at_once_one_stays
        a_removed_member_takes_everything_with_them
        each_change_of_roles_is_written_down
        the_projects_of_a_member_are_those_with_a_role_of_their_own;
    schedules:
        a_published_moment_is_due_when_its_time_has_come
        many_waiting_moments_hide_none
        of_twelve_that_run_a_moment_at_once_one_does
        moments_missing_from_a_new_revision_are_cancelled
        a_done_moment_stays_done
        a_missed_moment_is_written_down_once_and_stays_missed;
    signing_keys:
        the_first_signing_key_stays
        a_new_key_is_there_for_its_use_alone;
    vouching:
        who_hands_over_a_password_vouches_until_an_operator_does
        the_first_identity_ends_what_another_person_may_have_made
        whom_a_taken_account_vouched_for_the_one_who_took_it_vouches_for
        a_reset_of_ones_own_password_leaves_who_vouches
        a_later_sign_in_with_the_identity_ends_nothing
        an_identity_ends_nothing_of_a_member_for_whom_no_other_vouches
        who_is_signed_in_keeps_the_password_at_the_first_identity
        the_session_of_another_member_keeps_no_password
        a_reset_by_another_than_who_vouches_removes_passkeys
        a_password_chosen_by_a_mailed_link_proves_the_address
        webhooks_of_a_removed_member_are_switched_off;
    webhooks:
        a_webhook_comes_back_as_it_was_made_and_changes_from_its_present_version
        a_project_has_so_many_webhooks_and_a_removed_one_takes_its_deliveries_along
        a_publication_is_announced_with_its_number_to_the_webhooks_that_want_it
        a_held_webhook_gets_nothing_until_its_time_unless_a_member_sends_again
        a_clock_that_was_weeks_ahead_keeps_no_webhook_silent
        a_delivery_is_claimed_once_until_its_lease_is_over
        a_project_with_slow_receivers_keeps_no_other_waiting
        a_webhook_gets_one_request_at_a_time_and_keeps_no_other_waiting
        an_attempt_is_kept_with_what_came_of_it_and_the_next_one_waits_its_time
        of_a_delivery_that_is_sent_again_and_again_the_last_attempts_are_listed
        a_receiver_that_is_gone_switches_its_webhook_off_once
        a_webhook_whose_address_has_changed_since_stays_on
        a_redelivery_begins_anew_once_no_server_is_at_it
        a_redelivery_does_not_wait_for_a_server_that_died
        a_result_is_announced_once_for_each_experiment_and_mark;
}
