// SPDX-License-Identifier: Apache-2.0
import Agent
import Primitives
import SingleSignOn
import Testing

@Suite struct PINDemandTests {
    private func least(_ value: PropertyList?) -> Int? {
        var configuration = SSOConfiguration()
        configuration.extensionData = value.map { [.init("user_key_pin", $0)] }
        return configuration.leastPIN
    }

    @Test("The profile says how long a PIN is at least, in any form that it comes in")
    func lengths() {
        let expected: [(PropertyList, Int?)] = [
            (4, 4), (6, 6), (3, 4), (99, 16), ("8", 8), (true, 6), (false, nil),
        ]
        for (value, length) in expected { #expect(least(value) == length) }
        #expect(least(nil) == nil)
    }

    @Test("What cannot be read asks for a PIN all the same", arguments: ["", "four", "4 "])
    func unreadable(_ text: String) {
        #expect(least(.string(text)) == 6)
        #expect(least([.string(text)]) == 6)
    }

    @Test("A number of days may come as text, which no longer means never")
    func rotation() {
        var configuration = SSOConfiguration()
        configuration.extensionData = [.init("key_rotation", "90")]
        #expect(KeyRotationSchedule(configuration).lifetime == .days(90))
        configuration.extensionData = [.init("key_rotation", "soon")]
        #expect(KeyRotationSchedule(configuration).lifetime == nil)
    }
}
