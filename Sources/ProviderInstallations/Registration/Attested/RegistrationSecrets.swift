// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
package import ProviderSettings
package import Storage

/// The secrets that vendors gave to a project for its requests to them. They are sealed in its
/// policy.
package struct RegistrationSecrets: Sendable {
    package enum Name: String, CaseIterable, Sendable {
        /// The DeviceCheck key of a team, PKCS #8 in PEM.
        case deviceCheckKey = "device_check_key"
        /// The decryption key of an app's integrity tokens: 32 bytes in Base64.
        case playDecryptionKey = "play_decryption_key"

        /// The mapping of `registration` that contains it.
        package var part: String {
            switch self {
            case .deviceCheckKey: "apple"
            case .playDecryptionKey: "android"
            }
        }

        package var key: StateKey {
            let summary =
                switch self {
                case .deviceCheckKey: "PEM, as Apple provides it (.p8); unchanged if absent."
                case .playDecryptionKey: "Base64 of 32 bytes; unchanged if absent."
                }
            var key = StateKey(rawValue, "string", summary: summary)
            key.isPEM = self == .deviceCheckKey
            return key
        }
    }

    private let sealed: [String: String]
    private let project: Identifier<Project>
    private let secrets: DerivedKeys

    package init(of project: Project, in provider: Provider) {
        sealed = project.policy.registration.secrets
        self.project = project.id
        secrets = provider.secrets
    }

    /// Returns `nil` if there is no secret, or it cannot be opened.
    package func open(_ name: Name) -> Secret? {
        guard let bytes = sealed[name.rawValue].flatMap({ Base64.decode($0) }) else { return nil }
        return try? secrets.open(bytes, context: context(name))
    }

    package func seal(_ secret: Secret, as name: Name) throws -> String {
        Base64.encode(try secrets.seal(secret, context: context(name)))
    }

    private func context(_ name: Name) -> String { "registration/\(project)/\(name.rawValue)" }
}
