// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Every "no" that a person can hear. Pages have one text for each code in each language.
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

    /// The refusal itself; the reason stays on this side.
    package func refusal(because reason: String, retryAfter: Int64? = nil) -> Refusal {
        Refusal(rawValue, message, reason: reason, retryAfter: retryAfter)
    }

    var message: String {
        switch self {
        case .invalidCredentials: "That user name and password do not match."
        case .tooManyAttempts: "There were too many attempts. Wait a little, then try again."
        case .busy: "Many people are signing in right now. Try again in a moment."
        case .usernameInvalid: "Choose a user name of 1 to 128 visible characters."
        case .usernameLikeAddress:
            "Choose a user name without @. Enter your e-mail address in its own field."
        case .usernameTaken: "That user name is taken. Choose another one."
        case .nameInvalid: "Enter a name of at most 128 visible characters."
        case .emailInvalid: "That does not look like an e-mail address."
        case .passwordWrong: "That is not your password."
        case .passwordChangeNeeded:
            "This is a first password. Sign in on the sign-in page and choose another one."
        case .passwordUnchanged: "That is the first password. Choose another one."
        case .passwordsDiffer: "The two passwords differ."
        case .registrationClosed: "New accounts are made by an administrator here."
        case .setUpLinkInvalid: "This set-up link was used before or is too old."
        case .ceremonyExpired: "That took too long. Start again."
        case .passkeyRefused: "The passkey could not be checked. Try again."
        case .passkeyUnknown: "That passkey is not registered here."
        case .passkeyTaken: "That passkey is registered already."
        case .reRegistrationInvalid: "This link was used before, was withdrawn, or is too old."
        case .invitationInvalid: "This invitation was used before, was withdrawn, or is too old."
        case .webHandoffInvalid: "This address was used before, or is too old. Go back to the app."
        case .webHandoffOtherPerson: "Somebody else is signed in in this browser. Sign out first."
        case .webHandoffDeclined: "Nobody was signed in, and the address is used up."
        case .keyNotAllowed: "This kind of key is not allowed here. Use another one."
        case .passkeyOffered: "A passkey was offered before."
        case .signInNeeded: "Sign in first."
        case .freshSignInNeeded: "Confirm that it is you: sign in once more."
        case .lastWayIn: "This is your last way in. Add another one before you remove it."
        case .unknownCredential: "That credential is no longer there."
        case .unknownSession: "That session is over."
        case .unknownConsent: "That app no longer has access."
        case .labelInvalid: "Enter a name of 1 to 64 visible characters."
        case .codeWrong: "That code is not right."
        case .codeExpired: "That code is no longer valid. Ask for a new one."
        case .mailUnavailable: "No mail can be sent right now."
        case .notAllowed: "You may not do that."
        case .upstreamClosed: "That way to sign in is not offered here."
        case .upstreamAway: "The other provider does not answer. Try again in a moment."
        case .upstreamRefused: "What the other provider said could not be checked. Start again."
        case .upstreamDenied: "You cancelled at the other provider. Nothing has changed."
        case .upstreamNotFresh: "That provider cannot confirm that it is you just now."
        case .upstreamUnknown: "Nobody here is linked to that account."
        case .upstreamTaken: "That account is linked already, here or to somebody else."
        case .localFactorNeeded:
            "Confirm with your password or a key of this place first, not with another provider."
        }
    }
}

extension Result where Failure == CeremonyRefusal {
    /// - Parameter isStranger: see ``CeremonyRefusal/isStranger``.
    static func refused(
        _ refusal: UserFacingRefusal, because reason: String, person: Identifier<Person>? = nil,
        retryAfter: Int64? = nil, isStranger: Bool = false
    ) -> Self {
        .failure(
            CeremonyRefusal(
                refusal.refusal(because: reason, retryAfter: retryAfter), person: person,
                isStranger: isStranger))
    }
}
