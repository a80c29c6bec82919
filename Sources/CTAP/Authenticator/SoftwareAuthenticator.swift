// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives
import Threads
import WebAuthn

/// A security key in software: CTAP 2.1 with later additions, and CTAP1/U2F.
///
/// It answers one request at a time, on a thread of its own. Its memory is an
/// ``AuthenticatorStore``: what an answer rests on is durable before the answer exists.
/// Transports hand it whole messages and cancel it by cancelling the task that asks.
package actor SoftwareAuthenticator {
    package nonisolated let configuration: AuthenticatorConfiguration
    /// For keep-alives.
    package nonisolated let activity = AuthenticatorActivity()

    let gesture: any UserGesture
    let clock: any WallClock
    let random: any RandomSource
    /// Holds the private keys of credentials; `nil` when the store does.
    let hardware: (any CredentialHardware)?
    private let store: any AuthenticatorStore
    private nonisolated let thread: AuthenticatorThread

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    /// Where tasks that ask the key do best to run.
    nonisolated var executor: any TaskExecutor { thread.tasks }

    /// How often its thread has had nothing left to do but wait.
    package nonisolated var rests: Int { thread.rests }
    /// How many steps of tasks its thread has been given to run.
    package nonisolated var steps: Int { thread.steps }

    /// Where its reports are best waited for: on its own thread, so that a request is answered
    /// without a change of threads. A chip in the machine can take longer than the interval of
    /// keep-alives, which somebody else has to send then.
    nonisolated func threadForReports() throws(ThreadCreationError) -> AuthenticatorThread {
        hardware == nil ? thread : try AuthenticatorThread()
    }

    /// What survives a loss of power. Changed by ``commit(_:)`` only.
    private(set) var state: AuthenticatorState
    /// What does not.
    var session: AuthenticatorSession
    private var isAnswering = false
    /// A save has failed: nobody knows what the store holds, so nothing more is counted on it.
    private var isBroken = false

    /// Opens the key in `store`, or makes a new one there.
    ///
    /// Blocks for as long as the store does: call it on a thread that may.
    ///
    /// - Parameter hardware: Where the private keys of new credentials are made and stay. U2F has
    ///   no room for what it hands out, so there is none then.
    package init(
        store: any AuthenticatorStore,
        configuration: AuthenticatorConfiguration = AuthenticatorConfiguration(),
        hardware: (any CredentialHardware)? = nil,
        gesture: any UserGesture, clock: any WallClock, random: any RandomSource
    ) throws(AuthenticatorStoreError) {
        do { thread = try AuthenticatorThread() } catch { throw AuthenticatorStoreError(error) }
        self.store = store
        self.hardware = hardware
        var configuration = configuration
        if hardware != nil { configuration.speaksU2F = false }
        self.configuration = configuration
        self.gesture = gesture
        self.clock = clock
        self.random = random
        if let found = try store.load() {
            state = found
        } else {
            state = try Self.made(configuration, clock, random)
            try store.save(state)
        }
        session = AuthenticatorSession(random: random, poweredUp: clock.now)
    }

    private static func made(
        _ configuration: AuthenticatorConfiguration, _ clock: any WallClock,
        _ random: any RandomSource
    ) throws(AuthenticatorStoreError) -> AuthenticatorState {
        guard
            let identity = AttestationIdentity(
                model: configuration.aaguid, now: clock.now, random: random)
        else { throw .damaged }
        return AuthenticatorState(
            random: random, attestationKey: Secret(identity.key.rawRepresentation),
            attestationCertificate: identity.certificate)
    }

    /// What credentials can be made for, best first.
    var algorithms: [COSEAlgorithm] {
        hardware == nil ? CredentialPrivateKey.algorithms : [.es256]
    }

    /// Takes the power away and gives it back: tokens, key agreement and unfinished business go.
    package func powerCycle() {
        session = AuthenticatorSession(random: random, poweredUp: clock.now)
    }

    /// Changes the durable state, and returns when the change would survive a loss of power.
    func commit(_ change: (inout AuthenticatorState) -> Void) throws(CTAPStatus) {
        guard !isBroken else { throw .other }
        var changed = state
        change(&changed)
        do { try store.save(changed) } catch {
            isBroken = true
            throw .other
        }
        state = changed
    }

    // MARK: Answering

    /// The answer to a CTAP2 request: a status byte, and CBOR behind it when there is something
    /// to say.
    ///
    /// - Parameter frame: A command byte and its parameters in CBOR.
    package func respond(to frame: [UInt8]) async -> [UInt8] {
        guard !isAnswering else { return [CTAPStatus.channelBusy.rawValue] }
        isAnswering = true
        activity.set(.processing)
        defer { isAnswering = false }
        let reply = await reply(to: frame)
        return configuration.misbehaviour.isEmpty
            ? reply : configuration.misbehaviour.distort(reply, to: frame)
    }

    private func reply(to frame: [UInt8]) async -> [UInt8] {
        do throws(CTAPStatus) {
            guard !isBroken else { throw CTAPStatus.other }
            guard frame.count <= configuration.maximumMessageSize else {
                throw CTAPStatus.requestTooLarge
            }
            let request: CTAPRequest
            do throws(CTAPMessageError) { request = try CTAPRequest(frame: frame) } catch {
                throw error.status
            }
            let reply = try await carryOut(request)
            return [CTAPStatus.ok.rawValue] + reply
        } catch { return [error.rawValue] }
    }

    private func carryOut(_ request: CTAPRequest) async throws(CTAPStatus) -> [UInt8] {
        session.endUnfinished(before: request)
        switch request {
        case .makeCredential(let request): return try await makeCredential(request).encode()
        case .getAssertion(let request): return try await getAssertion(request).encode()
        case .getNextAssertion: return try getNextAssertion().encode()
        case .getInfo: return try information().encode()
        case .clientPIN(let request): return try await clientPIN(request).encode()
        case .reset: return try await reset()
        case .selection: return try await select()
        case .bioEnrollment(let request, let preview):
            try allowPreview(preview)
            return try await enrolFingerprint(request).encode()
        case .credentialManagement(let request, let preview):
            try allowPreview(preview)
            return try manageCredentials(request).encode()
        case .largeBlobs(let request): return try largeBlobs(request).encode()
        case .config(let request): return try configure(request)
        }
    }

    private func allowPreview(_ preview: Bool) throws(CTAPStatus) {
        if preview, !configuration.knowsPreviewCommands { throw .invalidCommand }
    }

    /// Runs one CTAP1 exchange under the same rule of one at a time.
    func exclusively(
        _ answer: (isolated SoftwareAuthenticator) async -> [UInt8], whenBusy: [UInt8]
    ) async -> [UInt8] {
        guard !isAnswering, !isBroken else { return whenBusy }
        isAnswering = true
        activity.set(.processing)
        defer { isAnswering = false }
        return await answer(self)
    }
}

extension CTAPMessageError {
    /// What a key answers to a request that it cannot read.
    var status: CTAPStatus {
        switch self {
        case .empty: .invalidLength
        case .unknownCommand: .invalidCommand
        case .cbor: .invalidCBOR
        case .unexpectedParameters: .invalidLength
        case .missing: .missingParameter
        case .unexpectedType: .cborUnexpectedType
        case .outOfRange: .invalidParameter
        case .unknownSubcommand: .invalidSubcommand
        }
    }
}
