// SPDX-License-Identifier: Apache-2.0
import PKCS11
import Primitives
import Support
import Testing

@Suite(.enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
struct SmartCardsTests {
    private let cards = SmartCards(module: SoftwareTokens.module)
    private let digest = [UInt8](repeating: 7, count: 32)

    private func card(_ label: String) async throws -> CardCertificate {
        _ = try await SharedTokens.ready
        let found = try await blocking { [cards] in try cards.certificates() }
        return try #require(found.first { $0.token.label == label })
    }

    @Test("Certificates are read from every card, without a PIN")
    func certificates() async throws {
        let shared = try await SharedTokens.ready
        let anna = try await card(SharedTokens.card)
        #expect(anna.certificate == shared.anna.certificate)
        #expect(anna.label == "anna")
        #expect(try await card(SharedTokens.rsaCard).certificate == shared.bea.certificate)
    }

    @Test("A card signs behind its PIN, on P-256 and with RSA")
    func sign() async throws {
        let (cards, digest) = (cards, digest)
        let (anna, bea) = (
            try await card(SharedTokens.card), try await card(SharedTokens.rsaCard)
        )
        let short = try await blocking {
            try cards.sign(
                digest: digest, with: anna, pin: Secret(SoftwareTokens.pin), .ecdsa)
        }
        let long = try await blocking {
            try cards.sign(digest: digest, with: bea, pin: Secret(SoftwareTokens.pin), .rsa)
        }
        #expect((short.count, long.count) == (64, 256))
    }

    @Test("A wrong PIN signs nothing, and a login does not outlive its signature")
    func pin() async throws {
        let (cards, digest, anna) = (cards, digest, try await card(SharedTokens.card))
        _ = try await blocking {
            try cards.sign(
                digest: digest, with: anna, pin: Secret(SoftwareTokens.pin), .ecdsa)
        }
        for pin in ["000000", "", "1"] {
            await #expect(throws: PKCS11Error.pinIncorrect) {
                try await blocking {
                    try cards.sign(digest: digest, with: anna, pin: Secret(pin), .ecdsa)
                }
            }
        }
    }

    @Test("A module that is none has no cards, and says why")
    func module() async {
        await #expect(throws: PKCS11Error.self) {
            try await blocking { try SmartCards(module: "/nowhere").certificates() }
        }
    }
}
