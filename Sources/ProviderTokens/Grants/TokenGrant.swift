// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import OAuth
package import Primitives
package import ProviderCore
package import Storage

/// The context of a token request for all phases.
package struct TokenRequestContext: CeremonyCall {
    package let context: CeremonyContext
    /// The authenticated client.
    package let client: RegisteredClient
    /// The key that the sender has proven (RFC 9449); `nil` for none.
    let proven: DPoPVerifier.Proven?

    package var provider: Provider { context.provider }
    package var tenant: Tenant { context.tenant }
    package var facts: RequestMetadata { context.facts }
    /// The thumbprint of that key.
    package var confirmation: String? { proven?.thumbprint }

    /// Consumes the DPoP proof. It is called only after a code, token or key was verified, so that
    /// a proof with an invented code is not stored.
    package func useProof() async throws -> Refusal? {
        guard let proven else { return nil }
        return try await DPoPVerifier(provider: provider, tenant: tenant, facts: facts)
            .use(proven)
    }

    /// The draft of the audit event for the result.
    package func draft(
        _ action: String, refusal: Refusal? = nil, person: Identifier<Person>? = nil
    ) -> AuditEventDraft {
        var draft = context.draft(action, refusal: refusal, person: person)
        draft.clientID = client.clientID
        return draft
    }
}

/// A grant type. Each is one file that implements the phases in which token requests differ;
/// ``TokenCeremony`` has the others.
package protocol TokenGrant: Sendable {
    associatedtype Message: Sendable

    /// `grant_type` on the wire and in the client's metadata.
    static var grantType: String { get }
    /// The audit action.
    static var action: String { get }
    /// Whether the grant concerns a person. Then every result has a separate audit event. Tokens of
    /// clients without a person are aggregated by the minute.
    static var concernsPerson: Bool { get }
    /// Whether `verify` verifies something that the provider issued or registered: a code, a token,
    /// a key that signed. Then the DPoP proof is consumed after it, and each later refusal has a
    /// separate audit event. A grant that verifies it in `consume` consumes the proof there, and
    /// marks its refusals as matched.
    static var isMatchedByMessage: Bool { get }

    /// Verifies the message. It consumes nothing.
    func verify(_ call: TokenRequestContext) async throws -> Result<Message, Refusal>
    /// Atomically consumes what is single-use, and returns the tokens to issue.
    func consume(
        _ message: Message, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal>
    /// Verifies that the person is active. A record that was read is saved in
    /// `entitlement`.
    func provePerson(
        _ entitlement: inout TokenIssuance, _ call: TokenRequestContext
    ) async throws -> Refusal?
}

extension TokenGrant {
    package static var concernsPerson: Bool { true }
    package static var isMatchedByMessage: Bool { true }

    /// The default is for grants whose store operation verifies the status of the person in its
    /// transaction, such as ``TokenRequestContext/issueGrant(_:_:_:ofPerson:)``.
    package func provePerson(
        _ entitlement: inout TokenIssuance, _ call: TokenRequestContext
    ) async throws -> Refusal? { nil }
}

/// A grant that a person has just authorized, with a code or on a device, or a token of an
/// exchange. The status of the person is verified again.
package protocol PersonTokenGrant: TokenGrant {}

extension PersonTokenGrant {
    package func provePerson(
        _ entitlement: inout TokenIssuance, _ call: TokenRequestContext
    ) async throws -> Refusal? {
        try await PersonStatusCheck(call).reasonToRefuse(&entitlement)
    }
}

/// The tokens to issue for a token request.
package struct TokenIssuance: CeremonyChange {
    /// `nil` if the client acts for itself.
    package var grant: Grant?
    /// The scopes of the access token.
    package var scope: ScopeSet
    /// The generation of the refresh token in the response; `nil` for none.
    package var refreshGeneration: Int64?
    /// The nonce of the authorization request, for the first ID token.
    package var nonce: String?
    /// The person of the grant, if a phase has read the record.
    var person: Person?
    /// The approved request, for the ID token.
    package var approval: JSONValue?
    /// The subject of the access token, if it is not the person of the grant: an installation that
    /// acts for itself.
    package var subject: String?
    /// The audience of the access token, if it is not the usual one of the client.
    var audience: String?
    /// The latest expiry, in seconds since 1970.
    var endsBefore: Int64?
    /// Whether `consume` has written the audit event of the success in its transaction. This is
    /// possible only if no later phase can refuse: the person of a code is verified after the code
    /// is consumed.
    var isRecorded = false

    /// Tokens of clients without a person are aggregated by the minute.
    package var event: CeremonyEvent {
        CeremonyEvent(
            person: grant?.person,
            recording: isRecorded ? .done : grant == nil ? .counted : .due)
    }
}

extension Refusal {
    /// The refusal of an invalid code, refresh token or device code. It does not reveal the reason.
    package static func invalidGrant(_ reason: String) -> Refusal {
        Refusal(
            ErrorCode.invalidGrant,
            "The grant is invalid, expired, used before, or was given to another client.",
            reason: reason)
    }
}
