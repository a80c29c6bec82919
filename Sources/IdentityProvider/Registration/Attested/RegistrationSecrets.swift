// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// What a project was given by vendors and must give back to them: kept sealed in its policy.
struct RegistrationSecrets: Sendable {
    enum Name: String, CaseIterable, Sendable {
        /// Of a team's DeviceCheck key, PKCS #8 in PEM.
        case deviceCheckKey = "device_check_key"
        /// Of an app's integrity tokens: base64 of 32 bytes.
        case playDecryptionKey = "play_decryption_key"

        /// The mapping of `registration` that it stands in.
        var part: String {
            switch self {
            case .deviceCheckKey: "apple"
            case .playDecryptionKey: "android"
            }
        }
    }

    private let sealed: [String: String]
    private let project: Identifier<Project>
    private let secrets: DerivedKeys

    init(of project: Project, in provider: Provider) {
        sealed = project.policy.registration.secrets
        self.project = project.id
        secrets = provider.secrets
    }

    /// `nil` when there is none, or none that opens.
    func open(_ name: Name) -> Secret? {
        guard let bytes = sealed[name.rawValue].flatMap({ Base64.decode($0) }) else { return nil }
        return try? secrets.open(bytes, context: context(name))
    }

    func seal(_ secret: Secret, as name: Name) throws -> String {
        Base64.encode(try secrets.seal(secret, context: context(name)))
    }

    private func context(_ name: Name) -> String { "registration/\(project)/\(name.rawValue)" }
}
