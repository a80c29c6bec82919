// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Storage

/// Somebody who has come back from an upstream provider, with what the browser brought.
package struct UpstreamCallback: Sendable {
    /// The provider that the address names.
    package let name: String
    package let state: UpstreamState
    /// What the browser carried for ``state``; `nil` when it carried nothing of it.
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

    /// Takes the attempt out of use, then asks the provider who it is. What cannot be tied to an
    /// attempt of this browser is a stranger's.
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
            let provider = try await context.store.upstreamProvider(
                named: name, in: context.project), provider.id == attempt.provider
        else { return refuse(.upstreamRefused, "an answer at another provider's address") }
        guard provider.isEnabled else { return refuse(.upstreamClosed, "disabled meanwhile") }
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
            let reason = "the provider says \(error.prefix(64).debugDescription)"
            return refuse(
                error == ErrorCode.accessDenied ? .upstreamDenied : .upstreamRefused, reason)
        }
        guard let code, !code.isEmpty else { return refuse(.upstreamRefused, "there is no code") }
        return try await UpstreamExchange(
            provider: provider, metadata: metadata, context: context
        ).redeem(code, attempt, state)
    }

    /// RFC 9207 section 2.4: an answer that names another issuer, or none where all do.
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
