// SPDX-License-Identifier: Apache-2.0

/// Somebody who sits before a terminal or a window and waits for the agent.
package protocol AgentConversation: Sendable {
    /// Asks, and waits for the answer; pages are shown and answer nothing.
    ///
    /// - Throws: ``PresentationError/cancelled`` when the person gives up or has gone.
    func ask(_ question: AgentPrompt) async throws -> String

    /// Says what is going on.
    func tell(_ step: AgentStep) async

    /// Whether they have a browser on this machine.
    var hasBrowser: Bool { get async }

    /// Returns when the person has gone, or the task is cancelled.
    func end() async
}

/// What the agent is doing for somebody who waits.
package enum AgentStep: String, Sendable, CaseIterable {
    case registeringDevice = "registering_device"
    case deviceRegistered = "device_registered"
    case registeringPerson = "registering_person"
    case personRegistered = "person_registered"
    case signingIn = "signing_in"
    case signedIn = "signed_in"
    case wrongPassword = "wrong_password"
    case wrongPIN = "wrong_pin"
    case wrongKeyPIN = "wrong_key_pin"
    /// Too short, or one character again and again.
    case weakPIN = "weak_pin"
    /// Not the same twice.
    case otherPIN = "other_pin"
    /// The PIN is typed at the reader.
    case pinAtReader = "pin_at_reader"
    /// Of a security key, which blinks.
    case touchKey = "touch_key"
    /// None is there.
    case insertKey = "insert_key"
    /// The security key looks at a finger.
    case verifyAtKey = "verify_at_key"
    case bindingKey = "binding_key"
    case keyBound = "key_bound"
}

/// What the agent says of itself while nobody waits; each becomes a line of its log.
package protocol AgentEventLog: Sendable {
    func prompt(_ subject: RegistrationSubject)
    func signInDue(_ person: String, _ reason: SignInSchedule.Reason)
    func registrationFailed(_ subject: RegistrationSubject, _ reason: String)
    func failed(_ what: String, _ error: any Error)
}
