// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// What a client says that it can do: the answer of `getClientCapabilities()` (section 5.1.7),
/// which a page may send along. A hint for choosing what to offer; nothing is trusted for it.
package struct ClientCapabilities: Sendable, Equatable {
    /// `ClientCapability` (section 5.8.7).
    package enum Capability: String, Sendable, CaseIterable {
        case conditionalCreate, conditionalGet, hybridTransport, passkeyPlatformAuthenticator
        case userVerifyingPlatformAuthenticator, relatedOrigins, signalAllAcceptedCredentials
        case signalCurrentUserDetails, signalUnknownCredential
    }

    private let answers: [String: Bool]

    private static let maximumCapabilities = 128

    /// `nil` when it is not an object of flags.
    package init?(_ json: JSONValue) {
        guard let members = json.object?.members, members.count <= Self.maximumCapabilities else {
            return nil
        }
        var answers: [String: Bool] = [:]
        for member in members {
            guard let flag = member.value.bool else { return nil }
            answers[member.name] = flag
        }
        self.answers = answers
    }

    /// `nil` when the client does not tell, which is not a no.
    package func can(_ capability: Capability) -> Bool? { answers[capability.rawValue] }

    /// The same for an extension, such as `prf`.
    package func supports(extension identifier: String) -> Bool? {
        answers["extension:\(identifier)"]
    }
}
