// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import WebAuthn

/// One sign-in as the browser sends it, with the challenge that it answers.
struct SignIn {
    let challenge: [UInt8]
    let json: [UInt8]

    func isAccepted(by party: RelyingParty, stored: StoredCredential) -> Bool {
        guard let response = try? UnverifiedAssertion(json: json) else { return false }
        let expectation = AssertionExpectation(
            challenge: challenge, userVerification: .required, requiresUserHandle: true)
        switch party.verify(assertion: response, for: stored, expecting: expectation) {
        case .success: return true
        case .failure: return false
        }
    }
}

/// Sign-ins of one software key, made before the clock runs.
struct SignIns {
    let stored: StoredCredential
    let all: [SignIn]

    init(count: Int) {
        let key = P256.Signing.PrivateKey()
        let random = SystemRandomSource()
        let id = random.bytes(32)
        let handle = random.bytes(16)
        stored = StoredCredential(
            id: id, publicKey: Self.cose(key.publicKey), signCount: 0, backupEligible: true,
            userHandle: handle)
        all = (0..<count).map { _ in
            Self.signIn(key, id: id, handle: handle, challenge: random.bytes(32))
        }
    }

    /// EC2, ES256, P-256: RFC 9053 section 7.1.
    private static func cose(_ key: P256.Signing.PublicKey) -> [UInt8] {
        let point = Array(key.rawRepresentation)
        return [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point.prefix(32)
            + [0x22, 0x58, 0x20] + point.suffix(32)
    }

    private static func signIn(
        _ key: P256.Signing.PrivateKey, id: [UInt8], handle: [UInt8], challenge: [UInt8]
    ) -> SignIn {
        let challengeText = Base64URL.encode(challenge)
        let client = Array(
            """
            {"type":"webauthn.get","challenge":"\(challengeText)",\
            "origin":"https://example.org","crossOrigin":false}
            """.utf8)
        // RP ID hash, flags UP UV BE BS, counter 0.
        let data = Array(SHA256.hash(data: Array("example.org".utf8))) + [0x1D, 0, 0, 0, 0]
        let signed = data + Array(SHA256.hash(data: client))
        let signature = (try? key.signature(for: signed)).map { Array($0.derRepresentation) } ?? []
        let credential = Base64URL.encode(id)
        let json = """
            {"id":"\(credential)","rawId":"\(credential)","type":"public-key",\
            "clientExtensionResults":{},"response":{"clientDataJSON":"\(Base64URL.encode(client))",\
            "authenticatorData":"\(Base64URL.encode(data))",\
            "signature":"\(Base64URL.encode(signature))","userHandle":"\(Base64URL.encode(handle))"}}
            """
        return SignIn(challenge: challenge, json: Array(json.utf8))
    }
}
