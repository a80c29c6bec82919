// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE

/// Converts refusals of a provider to errors.
enum ProviderErrorMapping {
    /// The error for an answer that is not the one hoped for: a problem document (RFC 9457) or an
    /// OAuth error (RFC 6749 section 5.2).
    static func error(
        _ answer: ResourceResponse, in domain: IdentityError.Domain
    ) -> IdentityError {
        let body = try? JSONParser.parseObject(answer.body, maximumBytes: 65_536, maximumDepth: 8)
        let name = body?["code"]?.string ?? body?["error"]?.string
        let text =
            body?["detail"]?.string ?? body?["error_description"]?.string
            ?? body?["title"]?.string
        guard name != nil || !isSomebodyElses(answer.status) else {
            return statusOnly(answer, domain)
        }
        let code = name.flatMap(code(named:)) ?? code(status: answer.status)
        var advice: IdentityError.RetryAdvice?
        if code == .tooManyRequests || code == .providerUnavailable,
            let seconds = answer.header("retry-after").flatMap({ Int64($0) }),
            (1...86_400).contains(seconds)
        {
            advice = .after(seconds: seconds)
        }
        return IdentityError(
            domain, code, text ?? "status \(answer.status)", retry: advice, serverCode: name,
            providerAnswer: CustomPayload(body), update: update(code, body))
    }

    /// The error of a response without an error code. A bare status, or a page, comes from an
    /// intermediary (a gateway, a firewall, a captive portal), and contains no statement of the
    /// provider.
    static func statusOnly(
        _ answer: ResourceResponse, _ domain: IdentityError.Domain
    ) -> IdentityError {
        var text = "status \(answer.status) without an error of the provider"
        if let type = answer.header("content-type") { text += ", but \(type.prefix(60))" }
        if (300...399).contains(answer.status) { text += "; redirects are not followed" }
        return IdentityError(domain, .invalidAnswer, text, retry: .later)
    }

    private static func isSomebodyElses(_ status: Int) -> Bool {
        (200...399).contains(status) || [401, 402, 403, 404, 407, 409, 410, 451].contains(status)
    }

    private static func update(
        _ code: IdentityError.Code, _ body: JSONObject?
    ) -> UpdateAdvice? {
        guard code == .outdatedApplication || code == .outdatedSystem else { return nil }
        return UpdateAdvice(
            minimumVersion: body?["minimum_version"]?.string,
            updateURL: body?["update_url"]?.string)
    }

    private static func code(named name: String) -> IdentityError.Code? {
        if let code = RegistrationErrorCode(rawValue: name) { return Self.code(of: code) }
        return switch name {
        case "invalid_grant": .notAuthorized
        case "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope":
            .configurationInvalid
        case "invalid_request", "invalid_json", "unsupported_media_type", "invalid_target":
            .requestInvalid
        case "ceremony_expired": .expired
        case "passkey_refused", "key_not_allowed", "last_way_in": .notAuthorized
        case "passkey_unknown", "unknown_credential": .authenticatorNotRegistered
        case "passkey_taken": .alreadyRegistered
        case "insufficient_entitlements": .insufficientEntitlements
        case "request_id_taken": .idempotencyKeyTaken
        case "access_denied": .cancelled
        case "temporarily_unavailable", "server_error": .providerUnavailable
        case "too_many_requests", "too_many_attempts", "slow_down": .tooManyRequests
        default: nil
        }
    }

    private static func code(of code: RegistrationErrorCode) -> IdentityError.Code {
        switch code {
        case .methodNotSupported: .methodNotSupported
        case .challengeRefused, .transactionRefused, .transactionExpired: .expired
        case .unknownIdentityProvider: .identityProviderInvalid
        case .identityProviderRefused: .identityProviderRefused
        case .identityProviderUnavailable: .identityProviderUnavailable
        case .vendorUnavailable: .providerUnavailable
        case .outdatedApplication: .outdatedApplication
        case .outdatedSystem: .outdatedSystem
        case .unknownApplication: .configurationInvalid
        case .registrationIDTaken: .registrationIDTaken
        case .tokenTimeUnit: .credentialTimeUnit
        case .alreadyRegistered, .keyTaken, .deviceRegistered: .alreadyRegistered
        case .notSignedIn, .freshSignInNeeded: .notSignedIn
        case .authenticatorNotOffered: .authenticatorNotOffered
        case .unknownAuthenticator: .authenticatorNotRegistered
        case .webTargetRefused: .webTargetRefused
        case .approvalsNotOffered: .approvalsNotOffered
        case .notEnrolled: .notEnrolled
        case .unknownApproval: .approvalNotFound
        case .approvalHandled: .approvalHandled
        case .approvalRefused: .approvalRefused
        case .scopeMissing: .scopeMissing
        case .deregistrationRefused: .deregistrationRefused
        case .unknownInstallation: .notRegistered
        default: [.missingInput, .malformedInput].contains(code) ? .requestInvalid : .notAuthorized
        }
    }

    private static func code(status: Int) -> IdentityError.Code {
        switch status {
        case 401: .notSignedIn
        case 403: .notAuthorized
        case 429: .tooManyRequests
        case 408, 500...599: .providerUnavailable
        case 400...499: .requestInvalid
        default: .invalidAnswer
        }
    }
}
