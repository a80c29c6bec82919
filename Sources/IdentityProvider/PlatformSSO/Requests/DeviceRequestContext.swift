// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Storage

/// What every phase of one device request may look at.
struct DeviceRequestContext: Sendable {
    /// Of a ceremony with a person: a login is one, under the same limits.
    let context: CeremonyContext
    let place: PlatformSSOEndpointInfo
    let registered: RegisteredDevice
    let client: RegisteredClient
    /// The request's nonce, when it is to be taken out of use in the step of what is done.
    var nonce: OneTimeUse?

    var provider: Provider { context.provider }
    var tenant: Tenant { context.tenant }
    var device: Device { registered.device }
    var now: Timestamp { context.now }
    var verifier: RequestVerifier { RequestVerifier(place.expectation) }

    /// What is said of this call when it is over.
    ///
    /// - Parameter noting: further details, each a word or a hash.
    func draft(
        _ action: String, refusal: Refusal? = nil, person: Identifier<Person>? = nil,
        noting: [(name: String, value: String)] = []
    ) -> AuditEventDraft {
        var details = JSONObject([
            .init(name: "device", value: .string(device.id.description))
        ])
        for (name, value) in noting { details[name] = .string(value) }
        for (name, value) in (refusal?.auditDetails ?? [:]).sorted(by: { $0.key < $1.key }) {
            details[name] = .string(value)
        }
        return AuditEventDraft(
            action, in: context.project, facts: context.facts, code: refusal?.code,
            person: person, clientID: client.clientID, details: JSONValue.object(details).text)
    }
}

/// The hooks of one kind of device request. ``PlatformSSOEndpoint`` owns the order of the phases.
protocol DeviceRequest: Sendable {
    associatedtype Verified: Sendable

    /// The audit action.
    var action: String { get }
    /// Phase 2: is the message what this device may send? Consumes nothing.
    func verify(_ call: DeviceRequestContext) async throws -> Result<Verified, PlatformSSORefusal>
    /// What the message says beside its own.
    func facts(of verified: Verified) -> PlatformSSO.VerifiedRequestClaims
    /// Whether nothing is left to be proved that could be guessed, or changed twice: the nonce is then
    /// taken out of use in the commit of what is done, and not in one of its own before.
    func takesNonceLast(_ verified: Verified) -> Bool
    /// Phases 4 to 6: who is the person, does policy allow it, issue.
    func answer(
        _ verified: Verified, _ call: DeviceRequestContext
    ) async throws -> Result<DeviceResponse, CeremonyRefusal>
}

extension DeviceRequest {
    func takesNonceLast(_ verified: Verified) -> Bool { false }
}

/// What a device request has earned: plain, to be sealed, and let out once it is kept.
struct DeviceResponse: Sendable {
    /// How what was done becomes durable, with its audit event and with the nonce that was to be
    /// taken last.
    enum Keeping: Sendable {
        /// It is; the event was written in the same commit.
        case kept
        /// There is nothing but event and nonce.
        case event
        /// By a verb of the store that writes all of it, and notes that the device was heard of. The
        /// answer is made and sealed meanwhile, and thrown away when the verb refuses.
        case verb(@Sendable () async throws -> Result<Void, CeremonyRefusal>)
    }

    let person: Identifier<Person>
    let type: MessageType
    let keeping: Keeping
    let body: @Sendable () async throws -> [UInt8]
}
