// SPDX-License-Identifier: Apache-2.0
public import GatehouseClient
import Synchronization

/// An attestor for tests of apps. It returns the evidence that the test supplies, and records its
/// calls. A provider that verifies evidence refuses it.
public final class SoftwareAttestor: DeviceAttestor {
    /// How a device may behave.
    public enum Behaviour: Sendable {
        /// It gives this evidence.
        case evidence([String: String])
        /// It cannot, as a simulator cannot.
        case unavailable
    }

    /// It could not.
    public struct Unavailable: Error {}

    /// Whose evidence it pretends to give.
    public let method: RegistrationMethod
    private let state: Mutex<(behaviour: Behaviour, asked: [RegistrationChallenge])>

    /// - Parameters:
    ///   - method: Whose evidence it pretends to give.
    ///   - behaviour: May be changed later with ``behave(_:)``.
    public init(
        _ method: RegistrationMethod = .appAttest,
        behaving behaviour: Behaviour = .evidence(["attestation": "c29mdHdhcmU"])
    ) {
        self.method = method
        state = Mutex((behaviour, []))
    }

    /// From now on.
    public func behave(_ behaviour: Behaviour) { state.withLock { $0.behaviour = behaviour } }

    /// Every challenge that it was given, in order.
    public var challenges: [RegistrationChallenge] { state.withLock { $0.asked } }

    /// What it was told to say.
    public func evidence(
        for challenge: RegistrationChallenge
    ) async throws -> RegistrationEvidence {
        let behaviour = state.withLock { state in
            state.asked.append(challenge)
            return state.behaviour
        }
        switch behaviour {
        case .evidence(let members): return RegistrationEvidence(members)
        case .unavailable: throw Unavailable()
        }
    }
}
