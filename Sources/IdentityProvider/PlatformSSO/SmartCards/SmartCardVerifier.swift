// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
import Storage

/// Whether a card that somebody has shown lets them in: what is to be asked once its key has signed.
struct SmartCardVerifier {
    let provider: Provider
    let project: Identifier<Project>
    let policy: SmartCardPolicy
    let now: Timestamp

    /// Why it does not, or `nil`.
    ///
    /// Whoever may set a project's roots could make a card for anybody in it. So it stands for nobody
    /// who reaches further than that project: such people show something that they chose themselves.
    func refusal(
        of card: SmartCard, shownBy person: Person
    ) async throws -> PlatformSSORefusal? {
        let roles = try await provider.store.administration(of: person.id)
        guard roles.allSatisfy({ $0.project == project && $0.role != .owner }) else {
            return PlatformSSORefusal(
                .grantUnsupported, "no card stands for who administers more than this project")
        }
        return await CertificateStatusSource(provider: provider, policy: policy, now: now)
            .refusal(of: card.path)
    }
}
