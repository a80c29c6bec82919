// SPDX-License-Identifier: Apache-2.0

/// A step that the agent performs for a waiting person.
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
