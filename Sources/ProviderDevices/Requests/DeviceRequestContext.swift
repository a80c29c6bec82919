// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import ProviderTokens
import Storage

/// The context of a device request for all phases.
struct DeviceRequestContext: CeremonyCall {
    /// The ceremony context: a login is a ceremony with the same attempt limits.
    let context: CeremonyContext
    let place: PlatformSSOEndpointInfo
    let registered: RegisteredDevice
    let client: RegisteredClient
    /// The request's nonce, if the transaction of the change must consume it.
    var nonce: OneTimeUse?

    var provider: Provider { context.provider }
    var tenant: Tenant { context.tenant }
    var device: Device { registered.device }
    var now: Timestamp { context.now }
    var verifier: RequestVerifier { RequestVerifier(place.expectation) }

    /// The draft of the audit event for the result.
    func draft(
        _ action: String, refusal: Refusal? = nil, person: Identifier<Person>? = nil
    ) -> AuditEventDraft {
        let noted = (refusal?.auditDetails ?? [:]).sorted(by: { $0.key < $1.key })
        return AuditEventDraft(
            action, in: context.project, facts: context.facts, code: refusal?.code,
            person: person, clientID: client.clientID,
            details: details(noting: noted.map { ($0.key, $0.value) }))
    }

    /// The details of an audit event: the device.
    ///
    /// - Parameter noting: further details, each a word or a hash.
    func details(noting: [(name: String, value: String)]) -> String {
        var details = JSONObject([
            .init(name: "device", value: .string(device.id.description))
        ])
        for (name, value) in noting { details[name] = .string(value) }
        return JSONValue.object(details).text
    }
}

/// A kind of device request: the phases in which they differ. ``DeviceCeremony`` has the others.
protocol DeviceRequest: Sendable {
    associatedtype Verified: Sendable

    /// The audit action.
    var action: String { get }
    /// Verifies the message. It consumes nothing.
    func verify(_ call: DeviceRequestContext) async throws -> Result<Verified, PlatformSSORefusal>
    /// The claims that all messages have.
    func facts(of verified: Verified) -> PlatformSSO.VerifiedRequestClaims
    /// Whether the request contains no credential that can be guessed and no change that could be
    /// repeated. Then the nonce is consumed in the transaction of the change, and not in a separate
    /// one before.
    func consumesNonceLast(_ verified: Verified) -> Bool
    /// Authenticates the person, applies the policy and issues the response.
    func answer(
        _ verified: Verified, _ call: DeviceRequestContext
    ) async throws -> Result<DeviceResponse, CeremonyRefusal>
}

extension DeviceRequest {
    func consumesNonceLast(_ verified: Verified) -> Bool { false }
}

/// The unsealed response to a device request. It is sent after the change is durable.
struct DeviceResponse: Sendable {
    /// The means by which the change becomes durable, with its audit event and with the nonce, if
    /// the nonce is still to be consumed.
    enum Keeping: Sendable {
        /// The change and its event are already durable.
        case saved
        /// Only the event and the nonce must be written.
        case event
        /// A store operation writes everything, and updates the device's last contact. The response
        /// is built and sealed concurrently, and discarded if the operation refuses.
        case verb(@Sendable () async throws -> Result<Void, CeremonyRefusal>)
    }

    let person: Identifier<Person>
    let type: MessageType
    let keeping: Keeping
    let body: @Sendable () async throws -> [UInt8]
}
