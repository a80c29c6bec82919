// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PKCS11

@Suite struct PINCautionTests {
    private static let states: [Token.PINState] = [.untouched, .low, .finalTry, .locked]

    @Test("Attack 100: a PIN is sent only in the states of a token that the caution allows")
    func states() {
        func permitted(_ caution: PINCaution) -> [Token.PINState] {
            Self.states.filter(caution.permits)
        }
        #expect(permitted(.none) == Self.states)
        #expect(permitted(.beforeLock) == [.untouched, .low])
        #expect(permitted(.afterWrongPIN) == [.untouched])
    }
}
