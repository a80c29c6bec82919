// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn
import Testing

@testable import Agent

@Suite struct KeyRequirementTests {
    private func requirement(
        pin: PropertyList? = nil, presence: PropertyList? = nil, isBiometric: Bool = false
    ) -> KeyRequirement {
        var configuration = SSOConfiguration()
        configuration.extensionData =
            (pin.map { [.init("user_key_pin", $0)] } ?? [])
            + (presence.map { [.init("user_key_presence", $0)] } ?? [])
        return KeyRequirement(configuration, isBiometric: isBiometric)
    }

    @Test("Without a requirement every key is accepted")
    func none() async throws {
        #expect(!requirement().requiresPerson)
        #expect(requirement().isMet(by: try await TestRecord.key()))
    }

    @Test(
        "A biometric policy of the extension requires a PIN, and a verified security key replaces it"
    )
    func biometric() {
        #expect(requirement(isBiometric: true).leastPIN == 6)
        #expect(requirement(pin: 8, isBiometric: true).leastPIN == 8)
        #expect(requirement(presence: "security_key", isBiometric: true).leastPIN == nil)
        #expect(requirement(presence: "security_key_touch", isBiometric: true).leastPIN == 6)
    }

    @Test("A key without the required PIN or touch is not accepted")
    func weak() async throws {
        var key = try await TestRecord.key()
        #expect(!requirement(pin: 4).isMet(by: key))
        #expect(!requirement(presence: "security_key_touch").isMet(by: key))
        key.guarded = KeyProtection(description: [])
        key.guarded?.asksPIN = true
        #expect(requirement(pin: 4).isMet(by: key))
        #expect(!requirement(presence: "security_key").isMet(by: key))
    }
}
