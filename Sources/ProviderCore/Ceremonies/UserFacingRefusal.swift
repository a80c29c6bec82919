// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// The codes of refusals that people see. Pages have one text for each code in each language.
package enum UserFacingRefusal: String, Sendable, CaseIterable {
    case invalidCredentials = "invalid_credentials"
    case tooManyAttempts = "too_many_attempts"
    case busy = "busy"
    case usernameInvalid = "username_invalid"
    case usernameLikeAddress = "username_like_address"
    case usernameTaken = "username_taken"
    case nameInvalid = "name_invalid"
    case emailInvalid = "email_invalid"
    case passwordWrong = "password_wrong"
    case passwordChangeNeeded = "password_change_needed"
    case passwordUnchanged = "password_unchanged"
    case passwordsDiffer = "passwords_differ"
    case registrationClosed = "registration_closed"
    case setUpLinkInvalid = "set_up_link_invalid"
    case ceremonyExpired = "ceremony_expired"
    case passkeyRefused = "passkey_refused"
    case passkeyUnknown = "passkey_unknown"
    case passkeyTaken = "passkey_taken"
    case reRegistrationInvalid = "re_registration_invalid"
    case invitationInvalid = "invitation_invalid"
    case keyNotAllowed = "key_not_allowed"
    case passkeyOffered = "passkey_offered"
    case signInNeeded = "sign_in_needed"
    case freshSignInNeeded = "fresh_sign_in_needed"
    case lastWayIn = "last_way_in"
    case unknownCredential = "unknown_credential"
    case unknownSession = "unknown_session"
    case unknownConsent = "unknown_consent"
    case labelInvalid = "label_invalid"
    case codeWrong = "code_wrong"
    case codeExpired = "code_expired"
    case mailUnavailable = "mail_unavailable"
    case notAllowed = "not_allowed"
    case upstreamClosed = "upstream_closed"
    case upstreamAway = "upstream_away"
    case upstreamRefused = "upstream_refused"
    case upstreamDenied = "upstream_denied"
    case upstreamNotFresh = "upstream_not_fresh"
    case upstreamUnknown = "upstream_unknown"
    case upstreamTaken = "upstream_taken"
    case localFactorNeeded = "local_factor_needed"
    case webHandoffInvalid = "web_handoff_invalid"
    case webHandoffOtherPerson = "web_handoff_other_person"
    case webHandoffDeclined = "web_handoff_declined"

    /// The refusal with a private reason.
    package func refusal(because reason: String, retryAfter: Int64? = nil) -> Refusal {
        Refusal(rawValue, message, reason: reason, retryAfter: retryAfter)
    }

    var message: String {
        switch self {
        case .invalidCredentials:
            "The sign-in details are incorrect. Check the username and try again."
        case .tooManyAttempts: "Too many attempts. Try again later."
        case .busy: "The service is busy. Try again in a moment."
        case .usernameInvalid: "Choose a username of 1 to 128 visible characters."
        case .usernameLikeAddress:
            "Choose a username without @. Enter your email address in its own field."
        case .usernameTaken: "This username is already taken. Choose another one."
        case .nameInvalid: "Enter a name of up to 128 visible characters."
        case .emailInvalid: "Enter a valid email address."
        case .passwordWrong: "The current password is incorrect."
        case .passwordChangeNeeded:
            "This is a first password. Sign in with it on the sign-in page and choose another one."
        case .passwordUnchanged: "This is the first password. Choose another one."
        case .passwordsDiffer: "The two passwords do not match."
        case .registrationClosed: "Only an administrator can create accounts here."
        case .setUpLinkInvalid: "This setup link has expired or was already used."
        case .ceremonyExpired: "The request has expired. Start again."
        case .passkeyRefused: "The passkey could not be verified. Try again."
        case .passkeyUnknown: "This passkey is not registered here. It may have been removed."
        case .passkeyTaken: "This passkey is already registered."
        case .reRegistrationInvalid: "This link has expired, was withdrawn or was already used."
        case .invitationInvalid:
            "This invitation has expired, was withdrawn or was already used. Request a new one."
        case .webHandoffInvalid:
            "This link has expired or was already used. Return to the app and try again."
        case .webHandoffOtherPerson:
            "Another account is signed in to this browser. Sign out, then return to the app."
        case .webHandoffDeclined: "You were not signed in. This link can't be used again."
        case .keyNotAllowed: "This type of key is not allowed here. Use another key."
        case .passkeyOffered: "A passkey has already been offered."
        case .signInNeeded: "Sign in first."
        case .freshSignInNeeded: "Sign in again to confirm it's you."
        case .lastWayIn: "This is your only sign-in method. Add another one before you remove it."
        case .unknownCredential: "This sign-in method no longer exists."
        case .unknownSession: "This session has already been signed out."
        case .unknownConsent: "This app no longer has access."
        case .labelInvalid: "Enter a name of 1 to 64 visible characters."
        case .codeWrong: "The code is incorrect."
        case .codeExpired: "The code has expired. Request a new one."
        case .mailUnavailable: "Email can't be sent right now. Try again later."
        case .notAllowed: "You don't have permission to do this."
        case .upstreamClosed: "This sign-in method is not available here."
        case .upstreamAway: "The other provider is not responding. Try again in a moment."
        case .upstreamRefused:
            "The response from the other provider could not be verified. Start again."
        case .upstreamDenied: "Sign-in with the other provider was cancelled. Nothing has changed."
        case .upstreamNotFresh:
            "The other provider can't confirm a recent sign-in. Use another method."
        case .upstreamUnknown:
            """
            No account here is connected to that account. Sign in another way, then connect it on \
            your account page.
            """
        case .upstreamTaken: "That account is already connected to your account or to another one."
        case .localFactorNeeded:
            """
            First confirm it's you with your password, passkey or security key for this site. \
            Another provider is not enough.
            """
        }
    }
}

extension Result where Failure == CeremonyRefusal {
    /// - Parameter isStranger: see ``CeremonyRefusal/isStranger``.
    package static func refused(
        _ refusal: UserFacingRefusal, because reason: String, person: Identifier<Person>? = nil,
        retryAfter: Int64? = nil, isStranger: Bool = false
    ) -> Self {
        .failure(
            CeremonyRefusal(
                refusal.refusal(because: reason, retryAfter: retryAfter), person: person,
                isStranger: isStranger))
    }
}
