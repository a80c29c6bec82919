// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A client's statement of its capabilities: the result of `getClientCapabilities()` (section
/// 5.1.7), which a page may send. It is a hint for the choice of offers, and no trust depends on
/// it.
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

    /// Whether the client has a capability; `nil` if it does not state it.
    package func can(_ capability: Capability) -> Bool? { answers[capability.rawValue] }

    /// The same for an extension, such as `prf`.
    package func supports(extension identifier: String) -> Bool? {
        answers["extension:\(identifier)"]
    }
}
