// SPDX-License-Identifier: Apache-2.0
import JOSE
package import OAuth
import Primitives
package import Storage

/// What every phase of one token request may look at.
package struct TokenRequestContext: Sendable {
    package let provider: Provider
    package let tenant: Tenant
    package let facts: RequestMetadata
    /// Proven in phase one.
    package let client: RegisteredClient
    /// The key that its sender has proven (RFC 9449); `nil` for none.
    var proven: DPoPVerifier.Proven?
    /// The thumbprint of that key.
    package var confirmation: String? { proven?.thumbprint }

    /// Consumes the proof of the sender's key. Called once something of ours is found genuine, so
    /// that a proof beside an invented code leaves no mark.
    func useProof() async throws -> Refusal? {
        guard let proven else { return nil }
        return try await DPoPVerifier(provider: provider, tenant: tenant, facts: facts)
            .use(proven)
    }

    /// What will be said of this call when it is over.
    func draft(
        _ action: String, refusal: Refusal? = nil, person: Identifier<Person>? = nil
    ) -> AuditEventDraft {
        AuditEventDraft(
            action, in: tenant.project.id, facts: facts, code: refusal?.code, person: person,
            clientID: client.clientID)
    }
}

/// The hooks of one grant type. ``TokenEndpoint`` owns the order of the phases; a grant is one
/// file that fills the hooks, and cannot skip a phase.
package protocol TokenGrant: Sendable {
    associatedtype Message: Sendable

    /// `grant_type` on the wire and in the client's metadata.
    static var grantType: String { get }
    /// The audit action.
    static var action: String { get }
    /// Whether it is about a person: then every outcome has an audit event of its own. Issuing to
    /// machines is counted by the minute.
    static var concernsPerson: Bool { get }
    /// Whether phase 2 finds something of ours: a code, a token, a key that has signed. Then the
    /// sender's proof of a key is consumed after it, and each later refusal has an event of its own.
    /// A grant that finds it in phase 3 consumes the proof there, and marks its refusals as matched.
    static var isMatchedByMessage: Bool { get }

    /// Phase 2: is the message what its sender may send? Consumes nothing.
    func verify(_ call: TokenRequestContext) async throws -> Result<Message, Refusal>
    /// Phase 3: uses up what may be used once, atomically, and says what it entitles to.
    func consume(
        _ message: Message, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal>
    /// Phase 4: does the person behind it still stand? A record that is read for it is kept.
    func provePerson(
        _ entitlement: inout TokenIssuance, _ call: TokenRequestContext
    ) async throws -> Refusal?
    /// Phase 5: may this be issued, here and now?
    func policy(
        _ entitlement: TokenIssuance, _ call: TokenRequestContext
    ) -> Result<TokenIssuance, Refusal>
}

extension TokenGrant {
    static var isMatchedByMessage: Bool { true }
}

/// A grant that somebody has just given, with a code or on a device, or what comes of one in
/// exchange. Whether they still stand is asked once more; what was granted is issued as it is.
protocol PersonTokenGrant: TokenGrant {}

extension PersonTokenGrant {
    static var concernsPerson: Bool { true }

    func provePerson(
        _ entitlement: inout TokenIssuance, _ call: TokenRequestContext
    ) async throws -> Refusal? {
        try await PersonStatusCheck(call).reasonToRefuse(&entitlement)
    }

    func policy(
        _ entitlement: TokenIssuance, _ call: TokenRequestContext
    ) -> Result<TokenIssuance, Refusal> {
        .success(entitlement)
    }
}

/// A grant that is made of a proof (``TokenRequestContext/give(_:_:_:)``): the verb that makes it asks whether
/// the person stands, in the same step. What was proven is issued as it is.
protocol AssertionTokenGrant: TokenGrant {}

extension AssertionTokenGrant {
    static var concernsPerson: Bool { true }

    func provePerson(
        _ entitlement: inout TokenIssuance, _ call: TokenRequestContext
    ) async throws -> Refusal? { nil }

    func policy(
        _ entitlement: TokenIssuance, _ call: TokenRequestContext
    ) -> Result<TokenIssuance, Refusal> { .success(entitlement) }
}

/// What a token request has earned.
package struct TokenIssuance: Sendable {
    /// `nil` when the client acts for itself.
    package var grant: Grant?
    /// Of the access token.
    package var scope: ScopeSet
    /// The family's generation that the answer's refresh token will carry; `nil` for none.
    package var refreshGeneration: Int64?
    /// Of the authorization request, once.
    package var nonce: String?
    /// The grant's person, where a phase has read the record already.
    var person: Person?
    /// What a person has approved: the ID token says it.
    var approval: JSONValue?
    /// Of whom the access token speaks, where it is not the grant's person: an installation that
    /// acts for itself.
    var subject: String?
    /// For whom the access token is, where it is not for the client's usual audience.
    var audience: String?
    /// When it ends at the latest, in seconds since 1970.
    var endsBefore: Int64?
    /// Whether consuming has written the audit event of the success, in the same commit. Only
    /// where no later phase has a say of its own: a code's person is proven after the code is used.
    var isRecorded = false
}

extension Refusal {
    /// What a code, refresh token or device code that does not work is told: no more than that.
    static func invalidGrant(_ reason: String) -> Refusal {
        Refusal(
            ErrorCode.invalidGrant,
            "The grant is invalid, expired, used before, or was given to another client.",
            reason: reason)
    }
}
