// SPDX-License-Identifier: Apache-2.0

/// A ceremony: one request that ends with a change or a refusal, and with one audit event.
/// Sign-ins, registrations, token requests and requests of devices are ceremonies.
///
/// ``CeremonyRunner`` runs the phases in this order. The first phase that refuses ends the
/// ceremony.
///
/// | phase | task | example: a token request |
/// |---|---|---|
/// | `identify` | Finds the sender of the request. | the client, its DPoP proof |
/// | `verify` | Verifies the message. Consumes nothing. | code, redirect URI, verifier |
/// | `consume` | Consumes the single-use value, or counts the attempt. | the code |
/// | `prove` | Authenticates the person, or verifies the evidence. | the person is active |
/// | `decide` | Evaluates the policy of the project. | the client's access |
/// | `commit` | Writes the change in one transaction. | (written with the code) |
/// | `respond` | Builds and signs the response. | the tokens |
///
/// Then the runner records the event and sends the notification. No ceremony can
/// skip `prove`, `decide` and `commit`; the defaults of the others pass their input on. A value
/// that a later phase needs is part of the result of the phase before it.
///
/// A thrown error is not a refusal: it ends the ceremony without an event.
package protocol CeremonyPhases: Sendable {
    /// The request with its sender. All later phases receive it.
    associatedtype Call: CeremonyCall = CeremonyContext
    /// The verified message.
    associatedtype Message: Sendable = Void
    /// The message after its single-use value was consumed.
    associatedtype Claim: Sendable = Message
    /// The authenticated person, or the verified evidence.
    associatedtype Proof: Sendable
    /// The change that was written.
    associatedtype Change: CeremonyChange
    associatedtype Response: Sendable = Change

    /// The audit action: `sign-in.password`.
    var action: String { get }
    /// Whether the runner logs the private reason of a refusal. `false` if the endpoint does.
    var logsRefusals: Bool { get }

    func identify(_ context: CeremonyContext) async throws -> Result<Call, CeremonyRefusal>
    func verify(_ call: Call) async throws -> Result<Message, CeremonyRefusal>
    func consume(_ message: Message, _ call: Call) async throws -> Result<Claim, CeremonyRefusal>
    func prove(_ claim: Claim, _ call: Call) async throws -> Result<Proof, CeremonyRefusal>
    /// Returns `nil` if the policy allows the request.
    func decide(_ proof: Proof, _ call: Call) async throws -> CeremonyRefusal?
    func commit(_ proof: Proof, _ call: Call) async throws -> Result<Change, CeremonyRefusal>
    func respond(_ change: Change, _ call: Call) async throws -> Response
}

extension CeremonyPhases {
    package var logsRefusals: Bool { true }
}

extension CeremonyPhases where Call == CeremonyContext {
    package func identify(
        _ context: CeremonyContext
    ) async throws -> Result<Call, CeremonyRefusal> { .success(context) }
}

extension CeremonyPhases where Message == Void {
    package func verify(_ call: Call) async throws -> Result<Message, CeremonyRefusal> {
        .success(())
    }
}

extension CeremonyPhases where Claim == Message {
    package func consume(
        _ message: Message, _ call: Call
    ) async throws -> Result<Claim, CeremonyRefusal> { .success(message) }
}

extension CeremonyPhases where Response == Change {
    package func respond(_ change: Change, _ call: Call) async throws -> Response { change }
}
