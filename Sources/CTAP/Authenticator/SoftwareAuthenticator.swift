// SPDX-License-Identifier: Apache-2.0
import Platform
package import Primitives

/// A security key in software: CTAP 2.1 with later additions, and CTAP1/U2F.
///
/// It runs an ``AuthenticatorMachine`` on a dedicated thread and performs the gestures that the
/// machine requires. Transports send whole messages, and cancel a message by cancelling the task
/// that sends it.
package actor SoftwareAuthenticator {
    package nonisolated let configuration: AuthenticatorConfiguration
    /// The current activity, for keep-alives.
    package nonisolated let activity = AuthenticatorActivity()

    let gesture: any UserGesture
    private let clock: any WallClock
    private nonisolated let thread: AuthenticatorThread
    private nonisolated let hasHardware: Bool
    private var machine: AuthenticatorMachine

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    /// The preferred executor of tasks that call this key.
    nonisolated var executor: any TaskExecutor { thread.tasks }

    /// The number of times that its thread waited without work.
    package nonisolated var rests: Int { thread.rests }
    /// The number of task steps that its thread received.
    package nonisolated var steps: Int { thread.steps }

    /// Returns the thread that waits for reports: the key's own thread, so that a request changes
    /// no threads. With hardware it is another thread, because hardware can take longer than the
    /// interval of keep-alives.
    nonisolated func threadForReports() throws(PlatformError) -> AuthenticatorThread {
        hasHardware ? try AuthenticatorThread() : thread
    }

    /// Opens the key in `store`, or creates one if the store is empty.
    ///
    /// Blocks while the store does: call it on a thread that may block.
    ///
    /// - Parameter hardware: The hardware that creates and stores the private keys of credentials.
    ///   A key with hardware does not support U2F, whose key handles are too short for it.
    package init(
        store: any AuthenticatorStore,
        configuration: AuthenticatorConfiguration = AuthenticatorConfiguration(),
        hardware: (any CredentialHardware)? = nil,
        gesture: any UserGesture, clock: any WallClock, random: any RandomSource
    ) throws(AuthenticatorStoreError) {
        do { thread = try AuthenticatorThread() } catch { throw AuthenticatorStoreError(error) }
        machine = try AuthenticatorMachine(
            store: store, configuration: configuration, hardware: hardware, random: random,
            now: clock.now)
        self.configuration = machine.configuration
        hasHardware = hardware != nil
        self.gesture = gesture
        self.clock = clock
    }

    /// Simulates a loss of power: discards tokens, key agreement and the state that a next command
    /// would continue. A command that waits for a gesture is not ended.
    package func powerCycle() { machine.powerCycle(now: clock.now) }

    /// Returns the response to a CTAP2 request: a status byte, and CBOR if the command has a
    /// result.
    ///
    /// - Parameter frame: A command byte and its parameters in CBOR.
    package func respond(to frame: [UInt8]) async -> [UInt8] { await respond(to: .ctap2(frame)) }

    /// Returns the response APDU, with its status word, to a command APDU of U2F.
    ///
    /// The person is prompted during the call, as with CTAP2. Without presence the response is
    /// 6985, and the client repeats the command.
    package func respond(toMessage apdu: [UInt8]) async -> [UInt8] { await respond(to: .u2f(apdu)) }

    private func respond(to message: AuthenticatorMessage) async -> [UInt8] {
        var step = machine.begin(message, now: clock.now)
        while true {
            switch step {
            case .response(let response): return response
            case .gesture(let request, let pending):
                activity.set(.userPresenceNeeded)
                let outcome = await perform(request)
                activity.set(.processing)
                step = machine.resume(
                    pending, GestureResult(outcome, isCancelled: Task.isCancelled), now: clock.now)
            }
        }
    }

    private func perform(_ request: GestureRequest) async -> GestureResult.Outcome {
        switch request {
        case .confirm(let operation):
            .confirmation(await gesture.confirm(GesturePrompt(operation)))
        case .verify(let operation): .verification(await gesture.verify(GesturePrompt(operation)))
        case .sample: .sample(await gesture.sample(GesturePrompt(.enrolFingerprint)))
        }
    }
}
