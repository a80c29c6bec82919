// SPDX-License-Identifier: Apache-2.0
public import GatehouseClient
import Synchronization

/// A person in front of a sensor, for tests of apps: does what it is told to do, and remembers what
/// it was told it was for. Its keys are in memory.
public final class SoftwareVerifier: UserVerifier {
    /// What the person does next.
    public enum Behaviour: Sendable {
        /// It is them.
        case verifies
        /// It ends so.
        case fails(UserVerificationError)
    }

    private struct State {
        var behaviour = Behaviour.verifies
        var isAvailable = true
        var prompts: [String] = []
    }

    /// Which one it pretends to be.
    public let authenticator: Authenticator
    private let keys = InMemoryKeyStore()
    private let state = Mutex(State())

    /// - Parameter authenticator: Which one it pretends to be.
    public init(_ authenticator: Authenticator = .biometric) {
        self.authenticator = authenticator
    }

    /// From now on.
    public func behave(_ behaviour: Behaviour) { state.withLock { $0.behaviour = behaviour } }

    /// Whether the sensor is there.
    public func setAvailable(_ isAvailable: Bool) {
        state.withLock { $0.isAvailable = isAvailable }
    }

    /// What the person was told, each time.
    public var prompts: [String] { state.withLock { $0.prompts } }

    /// How many keys it holds.
    public var keyCount: Int { get async throws { try await keys.keyNames().count } }

    /// See `UserVerifier`.
    public var isAvailable: Bool { state.withLock { $0.isAvailable } }

    /// See `UserVerifier`.
    public func makeKey(_ name: RecordName) async throws -> P256PublicKey {
        try await keys.makeKey(name).publicKey
    }

    /// See `UserVerifier`.
    public func signature(
        by name: RecordName, over message: [UInt8], prompt: String
    ) async throws -> [UInt8] {
        let behaviour = state.withLock { state in
            state.prompts.append(prompt)
            return state.behaviour
        }
        if case .fails(let error) = behaviour { throw error }
        guard let key = try await keys.key(name) else { throw UserVerificationError.invalidated }
        return try await key.signature(over: message)
    }

    /// See `UserVerifier`.
    public func removeKey(_ name: RecordName) async throws { try await keys.removeKey(name) }
}
