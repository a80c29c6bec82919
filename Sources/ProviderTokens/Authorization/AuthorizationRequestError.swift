// SPDX-License-Identifier: Apache-2.0
import Logging
import OAuth
import ProviderCore
import Storage

/// The details of an invalid request to `/authorize` for the operator: the client, the sent values
/// and the registered ones. The page does not display them.
struct AuthorizationRequestError: Sendable {
    private let refusal: Refusal
    private let sent: [(name: String, value: String)]
    private let registered: [String]

    /// Responses to valid requests: an interaction is required, or the person denied.
    private static let outcomes: Set<String> = [
        ErrorCode.accessDenied, ErrorCode.loginRequired, ErrorCode.consentRequired,
        ErrorCode.interactionRequired, ErrorCode.accountSelectionRequired,
        ErrorCode.unmetAuthenticationRequirements, "client_access",
    ]
    /// Maximum length of a logged value, and maximum number of logged redirect URIs.
    private static let maximumLength = 512
    private static let maximumCount = 10

    /// Returns `nil` if the request is valid.
    init?(_ refusal: Refusal, parameters: AuthorizationParameters, client: RegisteredClient?) {
        guard !Self.outcomes.contains(refusal.code) else { return nil }
        self.refusal = refusal
        sent = [.clientID, .redirectURI, .scope].compactMap { (name: AuthorizationParameter) in
            parameters[name].map { (name.rawValue, LogText.bounded($0, Self.maximumLength)) }
        }
        registered =
            client?.client.metadata.redirectURIs.prefix(Self.maximumCount).map {
                LogText.bounded($0, Self.maximumLength)
            } ?? []
    }

    /// For the audit event.
    var details: String {
        var words = ["reason": LogText.bounded(refusal.reason, Self.maximumLength)]
        for (name, value) in sent { words[name] = value }
        if !registered.isEmpty { words["registered"] = registered.joined(separator: " ") }
        return AuditDetails.text(words)
    }

    func log(in provider: Provider, _ facts: RequestMetadata) {
        var metadata: Logger.Metadata = [
            "code": "\(refusal.code)", "reason": "\(refusal.reason)",
            "request_id": "\(facts.requestID)",
            "registered": "\(registered.joined(separator: " "))",
        ]
        for (name, value) in sent { metadata[name] = "\(value)" }
        provider.log.info("authorization request refused", metadata: metadata)
    }
}

/// Conversion of untrusted text for a log.
package enum LogText {
    /// Returns at most `most` characters, without control characters.
    package static func bounded(_ text: String, _ most: Int = 255) -> String {
        String(
            String.UnicodeScalarView(
                text.prefix(most).unicodeScalars.filter {
                    $0.properties.generalCategory != .control
                }))
    }
}
