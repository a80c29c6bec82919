// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Testing

@Suite("Names and forms of keys")
struct KeyTests {
    private let key = TestParties.pair(1).publicKey

    @Test("One name in every spelling that parties use")
    func spellings() {
        let name = KeyIdentifier(key)
        let padded = name.description
        let url = Base64URL.encode(name.digest)
        #expect(padded.hasSuffix("=") && padded.utf8.count == 44)
        for text in [padded, url, url + "=", String(padded.dropLast())] {
            #expect(KeyIdentifier(text) == name)
        }
        #expect(KeyIdentifier(digest: name.digest) == name)
    }

    @Test(
        "What is no SHA-256 in base64 is no name",
        arguments: [
            "", "=", "AAAA", String(repeating: "A", count: 44), String(repeating: "A", count: 42),
            "Ws9mKynZxyUSNXYtMGAjjLO+Jg16HCa_5pJO0udNWJ4=",
            "Ws9mKynZxyUSNXYtMGAjjLO+Jg16HCa/5pJO0udNWJ4==",
            "Ws9mKynZxyUSNXYtMGAjjLO Jg16HCa/5pJO0udNWJ4=",
            "Ws9mKynZxyUSNXYtMGAjjLO+Jg16HCa/5pJO0udNWJ5=",
        ])
    func noName(_ text: String) {
        #expect(KeyIdentifier(text) == nil)
        #expect(KeyIdentifier(digest: [1, 2, 3]) == nil)
    }

    @Test("Key-id collision: a registration cannot name its key as another's is named")
    func collision() throws {
        let victim = KeyIdentifier(TestParties.pair(2).publicKey)
        #expect(
            code { _ = try KeyIdentifier.confirm(victim.description, of: key) } == .keyIDMismatch)
        #expect(code { _ = try KeyIdentifier.confirm("short", of: key) } == .keyIDMalformed)
        let own = KeyIdentifier(key)
        #expect(try KeyIdentifier.confirm(Base64URL.encode(own.digest), of: key) == own)
    }

    @Test("A point goes out and comes back")
    func points() throws {
        let point = try #require(key.x963)
        #expect(point.count == 65 && point[0] == 4)
        #expect(try PublicJWK(x963: point).x963 == point)
    }

    @Test("Other forms and points off the curve are refused")
    func noPoints() throws {
        let point = try #require(key.x963)
        var off = point
        off[64] ^= 1
        let compressed: [UInt8] = [point[64] & 1 | 2] + point[1..<33]
        let points: [[UInt8]] = [
            [], off, compressed, point + [0], Array(point.dropLast()), [0] + point[1...],
        ]
        for wrong in points {
            #expect(code { _ = try PublicJWK(x963: wrong) } == .publicKeyMalformed)
        }
    }

    @Test("A secret that lost its leading zeros derives nothing")
    func shortSecret() {
        #expect(
            ContentKey.derive(
                sharedSecret: [UInt8](repeating: 1, count: 31), apu: [], apv: []) == nil)
        #expect(
            ContentKey.derive(
                sharedSecret: [0] + [UInt8](repeating: 1, count: 31), apu: [], apv: []) != nil)
    }

    @Test("Coordinates and secrets with leading zeros keep their length")
    func leadingZeros() throws {
        // Scalars whose public X or Y, or whose agreement with one another, begin with a zero byte.
        var seen = (coordinate: 0, secret: 0)
        let peer = TestParties.pair(2)
        for number in 1...1500 {
            let scalar =
                [UInt8](repeating: 0, count: 30) + [UInt8(number >> 8), UInt8(number & 255)]
            let pair = try PrivateJWK(scalar: Secret(scalar), on: .p256)
            let point = try #require(pair.publicKey.x963)
            #expect(point.count == 65)
            if point[1] == 0 || point[33] == 0 { seen.coordinate += 1 }
            let z = try KeyAgreement.sharedSecret(pair, peer.publicKey)
            #expect(z.count == 32)
            if z[0] == 0 { seen.secret += 1 }
        }
        #expect(seen.coordinate > 0 && seen.secret > 0)
    }
}

@Suite("Party information")
struct PartyInfoTests {
    @Test(
        "Lengths that do not add up are refused",
        arguments: [
            [0], [0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 2, 65], [255, 255, 255, 255],
            [0, 0, 0, 1, 65, 9],
            [128, 0, 0, 0, 1], [UInt8](repeating: 0, count: 36),
        ] as [[UInt8]])
    func refused(_ bytes: [UInt8]) { #expect(PartyInfo(bytes: bytes) == nil) }

    @Test("Fields come back, empty ones too")
    func roundTrip() {
        for fields in [[], [[]], [[1], [], [2, 3]]] as [[[UInt8]]] {
            let info = PartyInfo(fields: fields)
            #expect(PartyInfo(bytes: info.bytes) == info)
        }
    }

    @Test("The three labels differ in case and in name")
    func labels() {
        #expect(String(decoding: PartyInfo.senderLabel, as: UTF8.self) == "APPLE")
        #expect(String(decoding: PartyInfo.recipientLabel, as: UTF8.self) == "Apple")
        #expect(String(decoding: PartyInfo.embeddedLabel, as: UTF8.self) == "APPLEEMBEDDED")
    }

    @Test("An encrypted password names the provider's key and the server's nonce")
    func provider() {
        let key = TestParties.pair(4).publicKey
        let info = PartyInfo.provider(encryption: key, serverNonce: "server")
        #expect(info.fields == [PartyInfo.embeddedLabel, key.x963, Array("server".utf8)])
    }
}
