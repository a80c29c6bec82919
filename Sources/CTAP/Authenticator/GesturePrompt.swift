// SPDX-License-Identifier: Apache-2.0

/// The text that requests a gesture. It names the operation, so that a person does not touch a key
/// for a sign-in and thereby reset it.
package struct GesturePrompt: Sendable, Equatable {
    package enum Operation: Sendable, Equatable {
        case makeCredential(rpId: String, user: String?)
        case getAssertion(rpId: String)
        /// A credential of the exclude list exists; the touch permits the client to report it.
        case excludedCredential(rpId: String)
        /// CTAP1: the application parameter, a hash, is all that is known.
        case register(application: [UInt8])
        case authenticate(application: [UInt8])
        case select
        /// A reset, which destroys all credentials. Some keys require a longer touch.
        case reset(longTouch: Bool)
        /// A client identifies the key, or its PIN state.
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
        case .probe: "Confirm that this is the security key to use"
        case .verifyForToken(let rpId?): "Verify yourself for \(rpId)"
        case .verifyForToken(nil): "Verify yourself to manage this key"
        case .enrolFingerprint: "Touch the sensor to enrol a finger"
        }
    }
}
