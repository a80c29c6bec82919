// SPDX-License-Identifier: Apache-2.0
package import OAuth
import Primitives
package import Storage
import WebAuthn

/// The keys of one person, and what they could prove.
package struct PersonalKeys: Sendable {
    private let credentials: [Credential]
    private let policy: WebAuthnPolicy

    package init(_ credentials: [Credential], policy: WebAuthnPolicy) {
        self.credentials = credentials
        self.policy = policy
    }

    package var all: [Credential] { credentials.filter { $0.kind == .publicKey } }

    /// Those that a step up to `wanted` can be made with.
    package func reaching(_ wanted: ContextClass) -> [Credential] {
        all.filter { reach(of: $0) >= wanted }
    }

    /// The best class that any of them can prove; `nil` without a key.
    package var highest: ContextClass? { all.map(reach).max() }

    /// Whether the project counts what there is: it may demand a second key, or recovery codes,
    /// before the first key lets anyone into an app.
    package var isEnough: Bool {
        guard policy.secondFactorBeforeFirstKey, !all.isEmpty else { return true }
        return all.count > 1 || credentials.contains { $0.kind == .recoveryCode }
    }

    /// With user verification where the project asks for it.
    private func reach(of credential: Credential) -> ContextClass {
        let context = PasskeyDetails(credential.details).facts.context(
            isUserVerified: policy.verification != .discouraged, trusting: policy.evidence)
        return ContextClass(exactly: context.rawValue) ?? .phishingResistant
    }
}
