// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives

/// The state machine of a software security key. It processes one message at a time and does not
/// perform gestures: ``begin(_:now:)`` returns a response or the gesture that the command requires.
/// ``resume(_:_:now:)`` continues the command with the result, to its response or its next gesture.
///
/// A change of ``state`` is durable in the ``AuthenticatorStore`` before a response depends on it.
package struct AuthenticatorMachine {
    /// The result of a part of a command.
    package enum Step {
        /// The complete response.
        case response([UInt8])
        /// The gesture that the command requires before it continues.
        case gesture(GestureRequest, PendingCommand)
    }

    package let configuration: AuthenticatorConfiguration
    /// The hardware that contains the private keys of credentials; `nil` if they are in ``state``.
    let hardware: (any CredentialHardware)?
    let random: any RandomSource
    private let store: any AuthenticatorStore

    /// The durable state. Only ``commit(_:)`` changes it.
    package private(set) var state: AuthenticatorState
    /// The state that a loss of power discards.
    var session: AuthenticatorSession
    /// The time of the current part of a command.
    private(set) var now: Timestamp
    /// Whether a command has no response yet, also while it waits for a gesture.
    private var isAnswering = false
    /// Whether a save failed. The content of the store is then unknown, and every command fails.
    private var isBroken = false

    /// Loads the state from `store`, or saves a new one if the store is empty. Blocks.
    package init(
        store: any AuthenticatorStore, configuration: AuthenticatorConfiguration,
        hardware: (any CredentialHardware)? = nil, random: any RandomSource, now: Timestamp
    ) throws(AuthenticatorStoreError) {
        var configuration = configuration
        if hardware != nil { configuration.speaksU2F = false }
        self.configuration = configuration
        self.hardware = hardware
        self.random = random
        self.store = store
        self.now = now
        if let saved = try store.load() {
            state = saved
        } else {
            state = try Self.newState(model: configuration.aaguid, now, random)
            try store.save(state)
        }
        session = AuthenticatorSession(random: random, poweredUp: now)
    }

    private static func newState(
        model: [UInt8], _ now: Timestamp, _ random: any RandomSource
    ) throws(AuthenticatorStoreError) -> AuthenticatorState {
        guard let identity = AttestationIdentity(model: model, now: now, random: random) else {
            throw .damaged
        }
        return AuthenticatorState(
            random: random, attestationKey: Secret(identity.key.rawRepresentation),
            attestationCertificate: identity.certificate)
    }

    /// Replaces the session: discards tokens, key agreement and the state that a next command would
    /// continue. A command that waits for a gesture is not ended.
    package mutating func powerCycle(now: Timestamp) {
        session = AuthenticatorSession(random: random, poweredUp: now)
    }

    /// Replaces the session after `authenticatorReset`. The time of the power-up remains, because a
    /// reset is not a power cycle.
    mutating func resetSession() {
        session = AuthenticatorSession(random: random, poweredUp: session.poweredUp)
    }

    /// Changes the durable state. Returns when the change would survive a loss of power.
    mutating func commit(
        _ change: (inout AuthenticatorState) -> Void
    ) throws(CTAPStatus) {
        guard !isBroken else { throw .other }
        var changed = state
        change(&changed)
        do { try store.save(changed) } catch {
            isBroken = true
            throw .other
        }
        state = changed
    }

    // MARK: Messages

    /// Starts the command in `message`.
    ///
    /// During another command the response is "channel busy", for U2F "conditions not satisfied".
    package mutating func begin(_ message: AuthenticatorMessage, now: Timestamp) -> Step {
        switch message {
        case .ctap2(let frame):
            guard !isAnswering else { return .response([CTAPStatus.channelBusy.rawValue]) }
            (isAnswering, self.now) = (true, now)
            return begin(frame)
        case .u2f(let apdu):
            guard !isAnswering, !isBroken else {
                return .response(ResponseAPDU(status: .conditionsNotSatisfied).bytes)
            }
            (isAnswering, self.now) = (true, now)
            return run(PendingCommand(operation: .u2f(U2FCommand(apdu)), code: nil), after: nil)
        }
    }

    private mutating func begin(_ frame: [UInt8]) -> Step {
        let code = frame.first ?? 0
        do throws(CTAPStatus) {
            let request = try request(in: frame)
            session.endUnfinished(before: request)
            return run(
                PendingCommand(operation: AuthenticatorCommand(request), code: code), after: nil)
        } catch { return respond([error.rawValue], to: code) }
    }

    private func request(in frame: [UInt8]) throws(CTAPStatus) -> CTAPRequest {
        guard !isBroken else { throw .other }
        guard frame.count <= configuration.maximumMessageSize else { throw .requestTooLarge }
        do throws(CTAPMessageError) { return try CTAPRequest(frame: frame) } catch {
            throw error.status
        }
    }

    /// Continues a command after a gesture. It can require a further gesture.
    package mutating func resume(
        _ pending: PendingCommand, _ result: GestureResult, now: Timestamp
    ) -> Step {
        self.now = now
        return run(pending, after: result)
    }

    private mutating func run(_ pending: PendingCommand, after result: GestureResult?) -> Step {
        var pending = pending
        do throws(CTAPStatus) {
            switch try pending.operation.run(after: result, &self) {
            case .gesture(let request): return .gesture(request, pending)
            case .finished(let response):
                return respond(
                    pending.code == nil ? response : [CTAPStatus.ok.rawValue] + response,
                    to: pending.code)
            }
        } catch { return respond([error.rawValue], to: pending.code) }
    }

    /// Ends the command. For tests of clients, the configuration can distort the response.
    ///
    /// - Parameter code: The command byte of CTAP2; `nil` for U2F.
    private mutating func respond(_ response: [UInt8], to code: UInt8?) -> Step {
        isAnswering = false
        guard let code, !configuration.misbehaviour.isEmpty else { return .response(response) }
        return .response(configuration.misbehaviour.distort(response, to: code))
    }
}
