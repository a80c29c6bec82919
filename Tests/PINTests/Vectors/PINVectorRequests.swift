// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import PINSupport
import Primitives
import Testing

/// Requests as the server parses them, before it looks at a key.
enum PINVectorRequests {
    static let topic = VectorTopic(name: "requests", make: make, run: run)

    // MARK: Making

    private static let text = Base64URL.encode([UInt8](repeating: 7, count: 32))
    private static let ciphertext = Base64URL.encode([UInt8](repeating: 9, count: 48))

    /// Members of a payload after `aud` and `jti`.
    private struct Members {
        let key: String
        let x25519 = Base64URL.encode([UInt8](repeating: 9, count: 32))

        var box: String { #""enc":"\#(key)","ct":"\#(PINVectorRequests.ciphertext)""# }
        var proof: String { #""ver":1,"proof_key":"\#(PINVectorRequests.text)",\#(box)"# }
        let plain = #""ver":1,"proof":"\#(PINVectorRequests.text)""#
        var transport: String { #""transport_key":"\#(key)""# }
        var oldTransport: String { #""transport_key":"\#(x25519)""# }
    }

    private static func make() async throws -> [VectorCase] {
        let key = try #require(
            PINTransportPublicKey.known(PINVectorWorld.transportScalar)
        ).bytes
        let members = Members(key: Base64URL.encode(key))
        var cases: [VectorCase] = []
        for (rule, type, payload) in good(members) + bad(members) + mixed(members) {
            let bytes = try await PINVectorWorld().version1.message(
                type, try PINVectorWorld().nonce, payload)
            cases.append(one(rule, bytes))
        }
        return try await cases + headers(members) + forms(members)
    }

    private static func one(_ rule: String, _ bytes: [UInt8]) -> VectorCase {
        VectorCase(
            rule, "read", input: .string(String(decoding: bytes, as: UTF8.self)),
            expect: read(bytes))
    }

    private typealias Message = (rule: String, type: String, payload: String)

    private static func good(_ members: Members) -> [Message] {
        [
            ("a first offer has a transport key", "gatehouse-pin2-offer+jwt", members.transport),
            (
                "a next offer also has a proof", "gatehouse-pin2-offer+jwt",
                "\(members.transport),\(members.proof)"
            ),
            ("a sign-in has a proof", "gatehouse-pin2-sign-in+jwt", members.proof),
            ("a commit has a proof", "gatehouse-pin2-commit+jwt", members.proof),
            ("a resolution has a version", "gatehouse-pin2-resolve+jwt", #""ver":2"#),
            ("version 1 has its own types", "gatehouse-pin-sign-in+jwt", members.plain),
            (
                "version 1 has its own transport keys", "gatehouse-pin-offer+jwt",
                members.oldTransport
            ),
        ]
    }

    private static func bad(_ members: Members) -> [Message] {
        let signIn = "gatehouse-pin2-sign-in+jwt"
        let offer = "gatehouse-pin2-offer+jwt"
        let named = #""proof_key":"\#(text)""#
        return [
            ("no member more", signIn, members.proof + #","exp":1"#),
            ("no member twice", signIn, members.proof + #","ver":2"#),
            ("versions count from 1", signIn, #""ver":0,\#(named),\#(members.box)"#),
            ("a version is not negative", signIn, #""ver":-1,\#(named),\#(members.box)"#),
            ("a version is an integer", signIn, #""ver":1.5,\#(named),\#(members.box)"#),
            ("a version has 32 bits", signIn, #""ver":4294967296,\#(named),\#(members.box)"#),
            ("a version is a number", signIn, #""ver":"1",\#(named),\#(members.box)"#),
            ("a proof is whole", signIn, #""ver":1,\#(named),"enc":"\#(members.key)""#),
            ("a proof is whole", signIn, #""ver":1,\#(members.box)"#),
            ("a proof is whole, in an offer too", offer, members.transport + #","ver":1"#),
            (
                "enc has 65 bytes", signIn,
                #""ver":1,\#(named),"enc":"\#(text)","ct":"\#(ciphertext)""#
            ),
            (
                "ct has 48 bytes", signIn,
                #""ver":1,\#(named),"enc":"\#(members.key)","ct":"\#(text)""#
            ),
            ("a thumbprint has 32 bytes", signIn, #""ver":1,"proof_key":"AA",\#(members.box)"#),
            (
                "base64url has no padding", signIn,
                #""ver":1,"proof_key":"\#(text)=",\#(members.box)"#
            ),
            ("a sign-in has a proof", signIn, #""ver":1"#),
            ("a resolution has no proof", "gatehouse-pin2-resolve+jwt", members.proof),
            ("a resolution names a version", "gatehouse-pin2-resolve+jwt", #""ver":0"#),
            ("an offer has a transport key", offer, #""ver":1"#),
            ("statements are not requests", "gatehouse-pin2-version+jwt", #""ver":1"#),
        ]
    }

    /// Each part of one version in a message of the other.
    private static func mixed(_ members: Members) -> [Message] {
        let rule = "a message has one version"
        return [
            (rule, "gatehouse-pin-sign-in+jwt", members.proof),
            (rule, "gatehouse-pin2-sign-in+jwt", members.plain),
            (rule, "gatehouse-pin-commit+jwt", members.proof),
            (rule, "gatehouse-pin2-commit+jwt", members.plain),
            (rule, "gatehouse-pin-offer+jwt", members.transport),
            (rule, "gatehouse-pin2-offer+jwt", members.oldTransport),
            (rule, "gatehouse-pin-offer+jwt", "\(members.oldTransport),\(members.proof)"),
            (rule, "gatehouse-pin2-offer+jwt", "\(members.transport),\(members.plain)"),
            (rule, "gatehouse-pin2-sign-in+jwt", "\(members.proof),\(members.plain.dropFirst(8))"),
            (rule, "gatehouse-pin3-sign-in+jwt", members.proof),
        ]
    }

    private static func headers(_ members: Members) async throws -> [VectorCase] {
        let world = try PINVectorWorld()
        let kid = world.binding.keyID.text
        let payload = #"{"aud":"\#(PINWorld.issuer)","jti":"\#(text)",\#(members.proof)}"#
        let headers = [
            ("the type names its case", #""kid":"\#(kid)","typ":"GATEHOUSE-PIN2-SIGN-IN+JWT""#),
            ("a message has its type", #""kid":"\#(kid)","typ":"JWT""#),
            ("a message has a type", #""kid":"\#(kid)""#),
            ("kid is a thumbprint", #""kid":"device-1","typ":"gatehouse-pin2-sign-in+jwt""#),
            ("a header has a kid", #""typ":"gatehouse-pin2-sign-in+jwt""#),
            (
                "a header has no member more",
                #""kid":"\#(kid)","typ":"gatehouse-pin2-sign-in+jwt","jwk":{}"#
            ),
            (
                "nothing is critical",
                #""kid":"\#(kid)","typ":"gatehouse-pin2-sign-in+jwt","crit":["b64"]"#
            ),
        ]
        return headers.map { rule, header in
            let input =
                Base64URL.encodeBytes(Array(#"{"alg":"ES256",\#(header)}"#.utf8)) + [0x2E]
                + Base64URL.encodeBytes(Array(payload.utf8))
            return one(
                rule, input + [0x2E] + Base64URL.encodeBytes([UInt8](repeating: 1, count: 64)))
        }
    }

    private static func forms(_ members: Members) async throws -> [VectorCase] {
        let world = try PINVectorWorld()
        let whole = try await world.version1.message(
            "gatehouse-pin2-sign-in+jwt", world.nonce, members.proof)
        let noNonce = try await world.version1.message(
            "gatehouse-pin2-sign-in+jwt", world.nonce, members.proof + #","jti":"AA""#)
        let parts = whole.split(separator: 0x2E).map(Array.init)
        return [
            one("a message has three parts", parts[0] + [0x2E] + parts[1]),
            one("a message has three parts", whole + [0x2E]),
            one("a nonce appears once", noNonce),
            one(
                "a message has at most 4,096 bytes", whole + [UInt8](repeating: 0x41, count: 4_096)),
            one("a message is not empty", []),
        ]
    }

    // MARK: Running

    private static func run(_ one: VectorCase) async throws -> VectorVerdict {
        .comparing(read(Array((one.input?.string ?? "").utf8)), one.expect)
    }

    private static func read(_ bytes: [UInt8]) -> JSONObject {
        guard let request = UnverifiedPINRequest(compact: bytes) else {
            return .refused("malformed")
        }
        return .accepted([
            ("kind", .string(request.kind.rawValue)),
            ("version", .integer(Int64(request.protocolVersion.rawValue))),
            ("key_id", .string(request.keyID.text)), ("nonce", .string(request.nonce.text)),
        ])
    }
}
