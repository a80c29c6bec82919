// SPDX-License-Identifier: Apache-2.0
package import OAuth
package import Storage
import WebAuthn

/// The WebAuthn credentials of a person, with the assurance that each can prove.
package struct PersonalKeys: Sendable {
    private let credentials: [Credential]
    private let policy: WebAuthnPolicy

    package init(_ credentials: [Credential], policy: WebAuthnPolicy) {
        self.credentials = credentials
        self.policy = policy
    }

    package var all: [Credential] { credentials.filter { $0.kind == .publicKey } }

    /// The keys that can step up a session to `wanted`.
    package func reaching(_ wanted: ContextClass) -> [Credential] {
        all.filter { reach(of: $0) >= wanted }
    }

    /// The best class that a key of the person can prove, or `nil` without a key.
    package var highest: ContextClass? { all.map(reach).max() }

    /// Whether the credentials satisfy the policy of the project. The policy may require a second
    /// key or recovery codes before the first key can be used to sign in to a client.
    package var isEnough: Bool {
        guard policy.secondFactorBeforeFirstKey, !all.isEmpty else { return true }
        return all.count > 1 || credentials.contains { $0.kind == .recoveryCode }
    }

    /// Assumes user verification unless the policy of the project discourages it.
    private func reach(of credential: Credential) -> ContextClass {
        let context = PasskeyDetails(credential.details).facts.context(
            isUserVerified: policy.verification != .discouraged, trusting: policy.evidence)
        return ContextClass(exactly: context.rawValue) ?? .phishingResistant
    }
}
