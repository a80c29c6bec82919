// SPDX-License-Identifier: Apache-2.0
import Logging
import OAuth
import Primitives
import Storage

/// What an operator needs to know about a request to `/authorize` that no person can mend: which
/// client it named, what it sent, and what is registered. Nothing of it is shown on the page.
struct AuthorizationRequestError: Sendable {
    private let refusal: Refusal
    private let sent: [(name: String, value: String)]
    private let registered: [String]

    /// Answers that belong to a healthy client: a person has to be asked, or said no.
    private static let outcomes: Set<String> = [
        ErrorCode.accessDenied, ErrorCode.loginRequired, ErrorCode.consentRequired,
        ErrorCode.interactionRequired, ErrorCode.accountSelectionRequired,
        ErrorCode.unmetAuthenticationRequirements, "client_access",
    ]
    /// What of a value is kept, and how many registered addresses.
    private static let longest = 512
    private static let most = 10

    /// `nil` where nothing is wrong with the request.
    init?(_ refusal: Refusal, parameters: AuthorizationParameters, client: RegisteredClient?) {
        guard !Self.outcomes.contains(refusal.code) else { return nil }
        self.refusal = refusal
        sent = [.clientID, .redirectURI, .scope].compactMap { (name: AuthorizationParameter) in
            parameters[name].map { (name.rawValue, LogText.bounded($0, Self.longest)) }
        }
        registered =
            client?.client.metadata.redirectURIs.prefix(Self.most).map {
                LogText.bounded($0, Self.longest)
            } ?? []
    }

    /// For the audit event.
    var details: String {
        var words = ["reason": LogText.bounded(refusal.reason, Self.longest)]
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

/// Words of strangers, as they may stand in a log.
package enum LogText {
    /// At most so many letters, without control characters.
    package static func bounded(_ text: String, _ most: Int = 255) -> String {
        String(
            String.UnicodeScalarView(
                text.prefix(most).unicodeScalars.filter {
                    $0.properties.generalCategory != .control
                }))
    }
}
