// SPDX-License-Identifier: Apache-2.0
package import OAuth
package import ProviderCore
import Storage

/// A token request. The phases `verify` and `consume` differ by grant type, and are those of
/// ``TokenGrant``. The grant is written when the code or token is consumed, so `commit` is empty.
package struct TokenCeremony<Grant: TokenGrant>: CeremonyPhases {
    private let grant: Grant
    private let presented: PresentedClient

    package init(_ grant: Grant, from presented: PresentedClient) {
        self.grant = grant
        self.presented = presented
    }

    package var action: String { Grant.action }
    /// The endpoint logs the refusal of every direct request, with its client.
    package var logsRefusals: Bool { false }

    /// Authenticates the client, and verifies the key to which the tokens will be bound, if the
    /// request proves one.
    package func identify(
        _ context: CeremonyContext
    ) async throws -> Result<TokenRequestContext, CeremonyRefusal> {
        try await ClientAuthenticator(context.provider).identify(
            presented, of: context.tenant, facts: context.facts
        ).flatMap { client in
            DPoPVerifier(
                provider: context.provider, tenant: context.tenant, facts: context.facts
            ).check().flatMap { proven in
                guard proven != nil || !client.client.metadata.bindsAccessTokens else {
                    return .failure(DPoPVerifier.invalid("a client that always proves its key"))
                }
                return .success(
                    TokenRequestContext(context: context, client: client, proven: proven))
            }
        }.mapError { CeremonyRefusal($0, isStranger: true) }
    }

    package func verify(
        _ call: TokenRequestContext
    ) async throws -> Result<Grant.Message, CeremonyRefusal> {
        guard call.client.may(Grant.grantType) else {
            return .failure(
                Self.refused(
                    Refusal(
                        ErrorCode.unauthorizedClient,
                        "The client is not registered for this grant type.",
                        reason: "grant type not registered")))
        }
        return try await grant.verify(call).mapError(Self.refused)
    }

    package func consume(
        _ message: Grant.Message, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, CeremonyRefusal> {
        guard Grant.isMatchedByMessage else {
            return try await grant.consume(message, call).mapError(Self.refused)
        }
        if let refusal = try await call.useProof() { return .failure(Self.matched(refusal)) }
        return try await grant.consume(message, call).mapError(Self.matched)
    }

    package func prove(
        _ issuance: TokenIssuance, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, CeremonyRefusal> {
        var proven = issuance
        if let refusal = try await grant.provePerson(&proven, call) {
            return .failure(Self.matched(refusal))
        }
        try await call.readPersonForPolicy(&proven)
        return .success(proven)
    }

    package func decide(
        _ issuance: TokenIssuance, _ call: TokenRequestContext
    ) async throws -> CeremonyRefusal? {
        if let refusal = try await call.policyRefusal(of: issuance) { return Self.matched(refusal) }
        return call.reasonToRefuse(issuance.scope).map(Self.matched)
    }

    package func commit(
        _ issuance: TokenIssuance, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, CeremonyRefusal> { .success(issuance) }

    package func respond(
        _ issuance: TokenIssuance, _ call: TokenRequestContext
    ) async throws -> TokenResponse {
        try await TokenIssuer(call).issue(issuance).seal()
    }

    // MARK: Events

    private static func matched(_ refusal: Refusal) -> CeremonyRefusal { refused(refusal.matched) }

    private static func refused(_ refusal: Refusal) -> CeremonyRefusal {
        CeremonyRefusal(refusal, recording: recording(of: refusal))
    }

    /// Unauthenticated senders can send invented codes for a public client: of these refusals the
    /// first of a minute is recorded, and the others are aggregated.
    private static func recording(of refusal: Refusal) -> EventRecording {
        // A poll that is too early, or before the person's decision, is not a result.
        if [ErrorCode.authorizationPending, ErrorCode.slowDown].contains(refusal.code) {
            return .omitted
        }
        if refusal.isRecorded { return .done }
        guard Grant.concernsPerson else { return .counted }
        return refusal.isMatched ? .due : .firstOfMinute
    }
}

extension CeremonyRunner {
    /// Runs a token request, specialized for the grants that most requests have.
    @specialized(where Grant == ClientCredentialsGrant)
    @specialized(where Grant == RefreshTokenGrant)
    @specialized(where Grant == AuthorizationCodeGrant)
    package func run<Grant: TokenGrant>(
        _ grant: Grant, from presented: PresentedClient
    ) async throws -> Result<TokenResponse, Refusal> {
        try await run(TokenCeremony(grant, from: presented))
    }
}
