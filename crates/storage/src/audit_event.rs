//! What the audit log tells of, in the words that it is stored and sent with.

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuditEvent {
    /// A member was added.
    MemberAdded,
    /// A member's roles were changed.
    RolesChanged,
    /// A member was removed.
    MemberRemoved,
    /// A member signed in.
    SignedIn,
    /// A member signed in with a passkey.
    SignedInByPasskey,
    /// A member signed in with an OpenID Connect provider.
    SignedInByProvider,
    /// A sign-in did not succeed.
    SignInRefused,
    /// Sign-ins failed too often, and the next was not tried.
    SignInThrottled,
    /// A member signed out.
    SignedOut,
    /// A member ended a session in another browser.
    SessionEnded,
    /// A member's password was changed.
    PasswordChanged,
    /// A link to choose a new password was mailed to a member.
    PasswordLinkSent,
    /// A member added a passkey.
    PasskeyAdded,
    /// A passkey was removed.
    PasskeyRemoved,
    /// An application was registered.
    ApplicationAdded,
    /// Something about an application was changed.
    ApplicationChanged,
    /// An application was switched off.
    ApplicationDisabled,
    /// An application was switched on again.
    ApplicationEnabled,
    /// An application was removed.
    ApplicationRemoved,
    /// An application got another secret.
    SecretAdded,
    /// A secret of an application was removed.
    SecretRemoved,
    /// A client did not prove who it is.
    ClientRefused,
    /// A client failed to prove who it is too often.
    ClientThrottled,
    /// A member allowed an application something.
    ConsentAllowed,
    /// A member did not allow an application something.
    ConsentDenied,
    /// A client exchanged a code for tokens.
    CodeExchanged,
    /// A client used its code twice, so the code's tokens ended.
    CodeReplayed,
    /// A replaced refresh token was used again, so its grant has ended.
    RefreshTokenReused,
    /// A client gave back what its authorization gave.
    GrantRevoked,
    /// A client gave an access token back.
    AccessTokenRevoked,
    /// Every token, code and session was ended.
    EverythingEnded,
    /// A member withdrew their consent to an application.
    ApplicationDisconnected,
    /// A project was added.
    ProjectAdded,
    /// A project was deleted, with all that was of it.
    ProjectDeleted,
    /// The draft of a project was changed.
    DraftChanged,
    /// A revision of a project went live.
    RevisionPublished,
    /// A preview link was made.
    PreviewLinkMade,
    /// A preview link was revoked.
    PreviewLinkRevoked,
    /// An API token was made.
    ApiTokenMade,
    /// An API token was removed.
    ApiTokenRemoved,
    /// The service of an API token lost a role.
    ServiceRoleWithdrawn,
    /// A person was invited to become a member.
    InvitationMade,
    /// An invitation was revoked.
    InvitationRevoked,
    /// The invited person became a member.
    InvitationAccepted,
    /// A link that shows results was made.
    ResultsLinkMade,
    /// A link that shows results was revoked.
    ResultsLinkRevoked,
    /// A project got a key with which servers and apps add events.
    EventsKeyMade,
    /// The key of a project was removed.
    EventsKeyRemoved,
    /// A webhook was added.
    WebhookAdded,
    /// Something about a webhook was changed.
    WebhookChanged,
    /// A webhook got another secret.
    WebhookSecretRenewed,
    /// A member had a test sent to a webhook.
    WebhookTested,
    /// A member had a delivery to a webhook tried again.
    WebhookRedelivered,
    /// A receiver was gone, so its webhook was switched off.
    WebhookSwitchedOff,
    /// A webhook was removed.
    WebhookRemoved,
    /// A campaign should have started or stopped by itself, and no server was running in time.
    ScheduleMissed,
    /// All events of a visitor were deleted.
    VisitorForgotten,
    /// Events of a project were deleted, all or the old ones.
    EventsDeleted,
    /// All events of a visitor were told.
    VisitorExported,
    /// Events that were measured elsewhere were taken.
    EventsImported,
    /// All events of a project were written into a folder.
    EventsExported,
}

impl AuditEvent {
    /// Everything that is written down.
    pub const ALL: [Self; 61] = [
        Self::MemberAdded,
        Self::RolesChanged,
        Self::MemberRemoved,
        Self::SignedIn,
        Self::SignedInByPasskey,
        Self::SignedInByProvider,
        Self::SignInRefused,
        Self::SignInThrottled,
        Self::SignedOut,
        Self::SessionEnded,
        Self::PasswordChanged,
        Self::PasswordLinkSent,
        Self::PasskeyAdded,
        Self::PasskeyRemoved,
        Self::ApplicationAdded,
        Self::ApplicationChanged,
        Self::ApplicationDisabled,
        Self::ApplicationEnabled,
        Self::ApplicationRemoved,
        Self::SecretAdded,
        Self::SecretRemoved,
        Self::ClientRefused,
        Self::ClientThrottled,
        Self::ConsentAllowed,
        Self::ConsentDenied,
        Self::CodeExchanged,
        Self::CodeReplayed,
        Self::RefreshTokenReused,
        Self::GrantRevoked,
        Self::AccessTokenRevoked,
        Self::EverythingEnded,
        Self::ApplicationDisconnected,
        Self::ProjectAdded,
        Self::ProjectDeleted,
        Self::DraftChanged,
        Self::RevisionPublished,
        Self::PreviewLinkMade,
        Self::PreviewLinkRevoked,
        Self::ApiTokenMade,
        Self::ApiTokenRemoved,
        Self::ServiceRoleWithdrawn,
        Self::InvitationMade,
        Self::InvitationRevoked,
        Self::InvitationAccepted,
        Self::ResultsLinkMade,
        Self::ResultsLinkRevoked,
        Self::EventsKeyMade,
        Self::EventsKeyRemoved,
        Self::WebhookAdded,
        Self::WebhookChanged,
        Self::WebhookSecretRenewed,
        Self::WebhookTested,
        Self::WebhookRedelivered,
        Self::WebhookSwitchedOff,
        Self::WebhookRemoved,
        Self::ScheduleMissed,
        Self::VisitorForgotten,
        Self::EventsDeleted,
        Self::VisitorExported,
        Self::EventsImported,
        Self::EventsExported,
    ];

    /// The event as programs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MemberAdded => "member.added",
            Self::RolesChanged => "member.roles_changed",
            Self::MemberRemoved => "member.removed",
            Self::SignedIn => "session.started",
            Self::SignedInByPasskey => "session.started_by_passkey",
            Self::SignedInByProvider => "session.started_by_provider",
            Self::SignInRefused => "sign_in.refused",
            Self::SignInThrottled => "sign_in.throttled",
            Self::SignedOut => "session.signed_out",
            Self::SessionEnded => "session.ended",
            Self::PasswordChanged => "password.changed",
            Self::PasswordLinkSent => "password.link_sent",
            Self::PasskeyAdded => "passkey.added",
            Self::PasskeyRemoved => "passkey.removed",
            Self::ApplicationAdded => "application.added",
            Self::ApplicationChanged => "application.changed",
            Self::ApplicationDisabled => "application.disabled",
            Self::ApplicationEnabled => "application.enabled",
            Self::ApplicationRemoved => "application.removed",
            Self::SecretAdded => "secret.added",
            Self::SecretRemoved => "secret.removed",
            Self::ClientRefused => "client.refused",
            Self::ClientThrottled => "client.throttled",
            Self::ConsentAllowed => "consent.allowed",
            Self::ConsentDenied => "consent.denied",
            Self::CodeExchanged => "code.exchanged",
            Self::CodeReplayed => "code.replayed",
            Self::RefreshTokenReused => "refresh_token.reused",
            Self::GrantRevoked => "grant.revoked",
            Self::AccessTokenRevoked => "access_token.revoked",
            Self::EverythingEnded => "everything.ended",
            Self::ApplicationDisconnected => "application.disconnected",
            Self::ProjectAdded => "project.added",
            Self::ProjectDeleted => "project.deleted",
            Self::DraftChanged => "draft.changed",
            Self::RevisionPublished => "revision.published",
            Self::PreviewLinkMade => "preview_link.made",
            Self::PreviewLinkRevoked => "preview_link.revoked",
            Self::ApiTokenMade => "api_token.made",
            Self::ApiTokenRemoved => "api_token.removed",
            Self::ServiceRoleWithdrawn => "api_token.role_withdrawn",
            Self::InvitationMade => "invitation.made",
            Self::InvitationRevoked => "invitation.revoked",
            Self::InvitationAccepted => "invitation.accepted",
            Self::ResultsLinkMade => "results_link.made",
            Self::ResultsLinkRevoked => "results_link.revoked",
            Self::EventsKeyMade => "events_key.made",
            Self::EventsKeyRemoved => "events_key.removed",
            Self::WebhookAdded => "webhook.added",
            Self::WebhookChanged => "webhook.changed",
            Self::WebhookSecretRenewed => "webhook.secret_renewed",
            Self::WebhookTested => "webhook.tested",
            Self::WebhookRedelivered => "webhook.redelivered",
            Self::WebhookSwitchedOff => "webhook.switched_off",
            Self::WebhookRemoved => "webhook.removed",
            Self::ScheduleMissed => "schedule.missed",
            Self::VisitorForgotten => "visitor.forgotten",
            Self::EventsDeleted => "events.deleted",
            Self::VisitorExported => "visitor.exported",
            Self::EventsImported => "events.imported",
            Self::EventsExported => "events.exported",
        }
    }

    pub(crate) fn from_row(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.as_str() == text)
    }
}
