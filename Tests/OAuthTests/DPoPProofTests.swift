// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import Support
import Testing

/// The form of DPoP proofs, RFC 9449 sections 4.2 and 4.3.
@Suite("DPoP proofs") struct DPoPProofTests {
    private static let address = "https://login.example/token"

    private let pair: PrivateJWK

    init() throws { pair = try PrivateJWK.generate(for: .es256) }

    private var claims: JSONObject {
        JSONObject([
            .init(name: "jti", value: "-BwC3ESc6acc2lTc"), .init(name: "htm", value: "POST"),
            .init(name: "htu", value: .string(Self.address)),
            .init(name: "iat", value: 1_562_262_616),
        ])
    }

    /// A proof with changes; members that become `nil` are left out.
    private func proof(
        _ changes: [String: JSONValue?] = [:], typ: String = "dpop+jwt",
        jwk: JSONValue? = nil, by signer: PrivateJWK? = nil, _ algorithm: JWSAlgorithm = .es256
    ) throws -> String {
        var claims = claims
        for (name, value) in changes { claims[name] = value }
        let key = signer ?? pair
        let shown = try jwk ?? key.publicKey.with(KeyParameters()).json
        let jws = try JOSESigner(key, algorithm: algorithm).sign(
            payload: claims.bytes, typ: typ, header: [.init(name: "jwk", value: shown)])
        return String(decoding: jws, as: UTF8.self)
    }

    private func read(
        _ text: String, method: String = "POST", address: String = address
    ) throws(DPoPProofError) -> DPoPProof {
        try DPoPProof(compact: text, method: method, address: address)
    }

    @Test("A proof says whose key it is, when it was made, and what for")
    func reads() throws {
        let proof = try read(try proof(["nonce": "n", "ath": "h"]))
        #expect(proof.thumbprint == pair.publicKey.thumbprintText)
        #expect(proof.identifier == "-BwC3ESc6acc2lTc" && proof.issuedAt == 1_562_262_616)
        #expect(proof.nonce == "n" && proof.accessTokenHash == "h")
        let bare = try read(try self.proof())
        #expect(bare.nonce == nil && bare.accessTokenHash == nil)
    }

    // RFC 9449 section 4.1, figure 1; section 6.1 has the thumbprint.
    @Test("The example of RFC 9449")
    func example() throws {
        let text = """
            eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0V\
            jNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY\
            5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9T\
            VCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T\
            8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg
            """
        let proof = try read(text, address: "https://server.example.com/token")
        #expect(proof.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test(
        "One address in several spellings is one address",
        arguments: [
            "https://login.example/token?code=1", "https://login.example/token#top",
            "HTTPS://LOGIN.example/token", "https://login.example:443/token",
        ])
    func spellings(address: String) throws {
        _ = try read(try proof(["htu": .string(address)]))
    }

    @Test(
        "Attack 23: a proof for another address",
        arguments: [
            "https://login.example/token/", "https://login.example/Token",
            "https://login.example:8443/token", "http://login.example/token",
            "https://login.example.evil/token", "https://login.example", "token", "",
            "https://login.example@evil.example/token", "https://login.example:80/token",
        ])
    func addresses(address: String) throws {
        let text = try proof(["htu": .string(address)])
        #expect(throws: DPoPProofError.address) { try read(text) }
    }

    @Test(
        "Attack 23: a claim that is missing or of another kind",
        arguments: [
            (["jti": nil], .claims), (["jti": ""], .claims), (["jti": 1], .claims),
            (["jti": .string(String(repeating: "a", count: 257))], .claims),
            (["iat": nil], .claims), (["iat": "1562262616"], .claims),
            (["nonce": 1], .claims), (["ath": 1], .claims), (["htm": nil], .method),
            (["htm": "GET"], .method), (["htm": "post"], .method), (["htu": nil], .address),
            (["htu": 1], .address),
        ] as [([String: JSONValue?], DPoPProofError)])
    func wrongClaims(_ changes: [String: JSONValue?], _ error: DPoPProofError) throws {
        let text = try proof(changes)
        #expect(throws: error) { try read(text) }
    }

    @Test("A time may have a fraction (RFC 7519 section 2)")
    func fraction() throws {
        #expect(try read(proof(["iat": 1_562_262_616.75])).issuedAt == 1_562_262_616)
        let text = try proof(["iat": 1e300])
        #expect(throws: DPoPProofError.claims) { try read(text) }
    }

    @Test("Attack 16, 23: another type, no signature, another key's signature")
    func signatures() throws {
        for typ in ["JWT", "at+jwt", ""] {
            let text = try proof(typ: typ)
            #expect(throws: DPoPProofError.type) { try read(text) }
        }
        let good = try proof()
        for text in ["", "a.b", good + ".", String(good.dropLast(4)), "." + good] {
            #expect(throws: DPoPProofError.self) { try read(text) }
        }
        let parts = good.split(separator: ".")
        #expect(throws: DPoPProofError.self) { try read("\(parts[0]).\(parts[1]).") }
        let other = try PrivateJWK.generate(for: .es256).publicKey.with(KeyParameters()).json
        let foreign = try proof(jwk: other)
        #expect(throws: DPoPProofError.signature) { try read(foreign) }
    }

    @Test("Attack 23: a private key, a shared key, or none in the header")
    func keys() throws {
        let shown: [JSONValue] = [
            try JSONParser.parse(pair.export().reveal(), maximumBytes: 4096),
            ["kty": "oct", "k": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"], "a key", [:],
        ]
        for jwk in shown {
            let text = try proof(jwk: jwk)
            #expect(throws: DPoPProofError.key) { try read(text) }
        }
        let bare = try JOSESigner(pair).sign(payload: claims.bytes, typ: "dpop+jwt")
        #expect(throws: DPoPProofError.key) { try read(String(decoding: bare, as: UTF8.self)) }
    }

    @Test("Attack 15: algorithms that were not offered")
    func algorithms() throws {
        for algorithm in [JWSAlgorithm.es384, .rs256] {
            let other = try PrivateJWK.generate(for: algorithm)
            let text = try proof(by: other, algorithm)
            #expect(throws: DPoPProofError.signature) { try read(text) }
        }
        for algorithm in [JWSAlgorithm.edDSA, .ps256] {
            let other = try PrivateJWK.generate(for: algorithm)
            _ = try read(try proof(by: other, algorithm))
        }
    }

    @Test("One that is longer than any key needs is not read")
    func tooLong() throws {
        let text = try proof(["more": .string(String(repeating: "a", count: 8192))])
        #expect(throws: DPoPProofError.malformed) { try read(text) }
    }
}
