// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
import ProviderCore
import Storage

/// Evaluates a card after its key has signed.
struct SmartCardVerifier {
    let provider: Provider
    let project: Identifier<Project>
    let policy: SmartCardPolicy
    let now: Timestamp

    /// Returns a refusal of the card, or `nil`.
    ///
    /// An administrator who can set the roots of a project could issue a card for any person in it.
    /// Therefore people with rights outside the project cannot use a card.
    func refusal(
        of card: SmartCard, shownBy person: Person
    ) async throws -> PlatformSSORefusal? {
        let roles = try await provider.store.administrators.administration(of: person.id)
        guard roles.allSatisfy({ $0.project == project && $0.role != .owner }) else {
            return PlatformSSORefusal(
                .grantUnsupported,
                "a smart card is not accepted for administrators of other projects")
        }
        return await CertificateStatusSource(provider: provider, policy: policy, now: now)
            .refusal(of: card.path)
    }
}
