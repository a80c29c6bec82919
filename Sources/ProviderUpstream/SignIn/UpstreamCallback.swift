// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import ProviderCore
import Storage

/// The callback of an upstream provider, with the data of the browser.
package struct UpstreamCallback: Sendable {
    /// The provider in the path of the URL.
    package let name: String
    package let state: UpstreamState
    /// The transaction from the browser's cookie for ``state``; `nil` if there is none.
    package let attempt: UpstreamTransaction?
    let code: String?
    let error: String?
    let issuer: String?

    package init(
        at name: String, state: UpstreamState, attempt: UpstreamTransaction?, code: String?,
        error: String?, issuer: String?
    ) {
        self.name = name
        self.state = state
        self.attempt = attempt
        self.code = code
        self.error = error
        self.issuer = issuer
    }

    /// Consumes the transaction, then exchanges the code with the provider. A callback without a
    /// transaction of this browser is unauthenticated.
    func vouched(
        _ context: CeremonyContext
    ) async throws -> Result<VerifiedUpstreamIdentity, CeremonyRefusal> {
        guard let attempt, try await context.use(attempt, state) else {
            var declined = CeremonyRefusal(
                UserFacingRefusal.ceremonyExpired.refusal(because: "no attempt of this browser"))
            declined.isStranger = true
            return .failure(declined)
        }
        guard
            let provider = try await context.store.upstreamProviders.upstreamProvider(
                named: name, in: context.project), provider.id == attempt.provider
        else { return refuse(.upstreamRefused, "an answer at another provider's address") }
        guard provider.isEnabled else { return refuse(.upstreamClosed, "disabled in the meantime") }
        if provider.settings.linkOnly, attempt.purpose == .signIn {
            return refuse(.upstreamClosed, "only linked to")
        }
        let metadata: UpstreamMetadata
        switch await context.provider.upstreamDirectory.metadata(of: provider, now: context.now) {
        case .success(let found): metadata = found
        case .failure(let failure): return .failure(failure.declined)
        }
        if let reason = mixUp(metadata) { return refuse(.upstreamRefused, reason) }
        if let error {
            let reason = "the provider reports \(error.prefix(64).debugDescription)"
            return refuse(
                error == ErrorCode.accessDenied ? .upstreamDenied : .upstreamRefused, reason)
        }
        guard let code, !code.isEmpty else { return refuse(.upstreamRefused, "no code") }
        return try await UpstreamExchange(
            provider: provider, metadata: metadata, context: context
        ).redeem(code, attempt, state)
    }

    /// RFC 9207 section 2.4: the response has another issuer, or none although the provider always
    /// sends it.
    private func mixUp(_ metadata: UpstreamMetadata) -> String? {
        guard let issuer else {
            return metadata.namesIssuer ? "the answer does not name its issuer" : nil
        }
        guard !metadata.issuer.isEmpty else { return nil }
        return issuer.hasSameBytes(as: metadata.issuer)
            ? nil : "the answer names another issuer (mix-up)"
    }

    private func refuse(
        _ refusal: UserFacingRefusal, _ reason: String
    ) -> Result<VerifiedUpstreamIdentity, CeremonyRefusal> { .refused(refusal, because: reason) }
}
