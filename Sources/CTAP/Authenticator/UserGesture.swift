// SPDX-License-Identifier: Apache-2.0

/// What a person is asked to allow. Prompts name the operation, so that nobody touches a key for a
/// sign-in and thereby resets it.
package struct GesturePrompt: Sendable, Equatable {
    package enum Operation: Sendable, Equatable {
        case makeCredential(rpId: String, user: String?)
        case getAssertion(rpId: String)
        /// A credential of the list is already here; the touch only lets the client say so.
        case excludedCredential(rpId: String)
        /// CTAP1: the application parameter, a hash, is all that is known.
        case register(application: [UInt8])
        case authenticate(application: [UInt8])
        case select
        /// Everything on the key will be gone. Some keys want a longer touch for it.
        case reset(longTouch: Bool)
        /// A client asks which key is meant, or whether a PIN is needed.
        case probe
        case verifyForToken(rpId: String?)
        case enrolFingerprint
    }

    package let operation: Operation

    package init(_ operation: Operation) { self.operation = operation }

    /// One line for a person.
    package var sentence: String {
        switch operation {
        case .makeCredential(let rpId, let user?): "Register \(user) with \(rpId)"
        case .makeCredential(let rpId, nil): "Register with \(rpId)"
        case .getAssertion(let rpId): "Sign in to \(rpId)"
        case .excludedCredential(let rpId): "This key is already registered with \(rpId)"
        case .register: "Register this key (U2F)"
        case .authenticate: "Sign in (U2F)"
        case .select: "Use this key"
        case .reset: "RESET this key: every credential on it will be destroyed"
        case .probe: "A program wants to know whether this is the key that you mean"
        case .verifyForToken(let rpId?): "Verify yourself for \(rpId)"
        case .verifyForToken(nil): "Verify yourself to manage this key"
        case .enrolFingerprint: "Touch the sensor to enrol a finger"
        }
    }
}

/// How a person answered, or did not.
package enum GestureOutcome: Sendable, Equatable {
    case approved
    case denied
    case timedOut
}

/// What built-in verification found.
package enum VerificationOutcome: Sendable, Equatable {
    case verified
    /// The finger, or whatever was shown, is not the owner's.
    case failed
    case denied
    case timedOut
}

/// What the fingerprint sensor says of one sample (CTAP 2.1 section 6.7.4).
package enum FingerprintSample: UInt8, Sendable, CaseIterable {
    case good = 0x00
    case tooHigh = 0x01
    case tooLow = 0x02
    case tooLeft = 0x03
    case tooRight = 0x04
    case tooFast = 0x05
    case tooSlow = 0x06
    case poorQuality = 0x07
    case tooSkewed = 0x08
    case tooShort = 0x09
    case mergeFailure = 0x0A
    case alreadyExists = 0x0B
    case noUserActivity = 0x0D
    case noUserPresenceTransition = 0x0E
}

/// The person before a software key: its button, its fingerprint sensor, its light.
///
/// A call lasts as long as the person needs; the key sends keep-alives meanwhile. When its task is
/// cancelled, it should return soon: whatever it then returns is not used. How long a person may
/// take is the gesture's own business.
package protocol UserGesture: Sendable {
    /// The button.
    func confirm(_ prompt: GesturePrompt) async -> GestureOutcome

    /// Built-in verification: the fingerprint sensor, or the lock screen of a platform.
    func verify(_ prompt: GesturePrompt) async -> VerificationOutcome

    /// One sample for a new finger.
    func sample(_ prompt: GesturePrompt) async -> FingerprintSample

    /// Makes the key noticed.
    func wink() async
}

extension UserGesture {
    package func verify(_ prompt: GesturePrompt) async -> VerificationOutcome { .failed }
    package func sample(_ prompt: GesturePrompt) async -> FingerprintSample { .noUserActivity }
    package func wink() async {}
}

/// A gesture that always answers the same, at once.
package struct AutomaticGesture: UserGesture {
    private let confirmation: GestureOutcome
    private let verification: VerificationOutcome
    private let fingerprint: FingerprintSample

    package init(
        _ confirmation: GestureOutcome = .approved, verification: VerificationOutcome = .verified,
        fingerprint: FingerprintSample = .good
    ) {
        self.confirmation = confirmation
        self.verification = verification
        self.fingerprint = fingerprint
    }

    package func confirm(_ prompt: GesturePrompt) async -> GestureOutcome { confirmation }
    package func verify(_ prompt: GesturePrompt) async -> VerificationOutcome { verification }
    package func sample(_ prompt: GesturePrompt) async -> FingerprintSample { fingerprint }
}

/// A gesture that asks through a closure: a terminal, a window, a test.
package struct AskingGesture: UserGesture {
    private let ask: @Sendable (GesturePrompt) async -> GestureOutcome

    package init(_ ask: @escaping @Sendable (GesturePrompt) async -> GestureOutcome) {
        self.ask = ask
    }

    package func confirm(_ prompt: GesturePrompt) async -> GestureOutcome { await ask(prompt) }

    package func verify(_ prompt: GesturePrompt) async -> VerificationOutcome {
        switch await ask(prompt) {
        case .approved: .verified
        case .denied: .denied
        case .timedOut: .timedOut
        }
    }

    package func sample(_ prompt: GesturePrompt) async -> FingerprintSample {
        await ask(prompt) == .approved ? .good : .noUserActivity
    }
}
