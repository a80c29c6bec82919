// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives
import Support
import Testing

@Suite struct PINUVAuthTokenTests {
    private let random = SeededRandom(seed: 11)

    @Test(
        "A token travels encrypted and verifies on the other side", arguments: PINProtocol.allCases)
    func travels(_ number: PINProtocol) throws {
        let key = PINKeyAgreement(random: random)
        let (sent, client) = try PINKeyAgreement.encapsulate(
            for: key.publicKey, number, random: random)
        let token = PINUVAuthToken(number, random: random)
        let wire = try token.encrypted(
            with: key.sharedSecret(with: sent, number), random: random)
        let received = try PINUVAuthToken(number, decrypted: client.decrypt(wire))
        #expect(token.verify([1, 2], received.authenticate([1, 2])))
        #expect(!token.verify([1, 3], received.authenticate([1, 2])))
        #expect(!PINUVAuthToken(number, random: random).verify([1], received.authenticate([1])))
    }

    @Test("A token of a wrong length is refused")
    func lengths() throws {
        #expect(throws: PINProtocolError.invalidLength) {
            try PINUVAuthToken(.two, decrypted: Secret([UInt8](repeating: 1, count: 16)))
        }
        #expect(throws: PINProtocolError.invalidLength) {
            try PINUVAuthToken(.one, decrypted: Secret([UInt8](repeating: 1, count: 48)))
        }
        _ = try PINUVAuthToken(.one, decrypted: Secret([UInt8](repeating: 1, count: 16)))
    }
}
