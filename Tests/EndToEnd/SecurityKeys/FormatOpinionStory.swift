// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE
import Testing
import WebAuthn

extension EndToEnd {
    /// The specification's own responses, one of each attestation format, verified by Gatehouse, by
    /// py_webauthn and by python-fido2, unchanged and corrupted.
    @Suite(
        "Second opinions on attestation formats",
        .enabled(
            if: Repository.hasPeers && SpecificationVectors.shared != nil,
            "needs ../shared/vectors and .venv of Scripts/bootstrap"))
    struct FormatOpinionStory {
        /// What py_webauthn refuses although the specification gives it as an example, and why.
        private static let refusedByPyWebAuthn = [
            "tpm-es256 registration": "the example's manufacturer is not in its list of them",
            "fido-u2f-es256 registration":
                "the example has an AAGUID, and section 8.6 does not ask that it be zero",
            "android-key-es256 registration":
                "it takes the last certificate for a root; the example sends none",
            "packed-es384 registration": "it does not know ES384",
            "packed-es384 sign-in": "it does not know ES384",
            "packed-ed448 registration": "it does not know Ed448",
            "packed-ed448 sign-in": "it does not know Ed448",
        ]

        @Test("three verifiers agree on the specification's examples, and on their corrupted forms")
        func agreement() async throws {
            let questions = try await questions().flatMap { [$0] + $0.spoilt }
            try #require(questions.count == 300)
            let ours = try await WebAuthnJudges.ours(questions)
            let theirs = try await WebAuthnJudges.peers(questions)
            try #require(ours.count == questions.count && theirs.count == questions.count)
            for (index, question) in questions.enumerated() {
                let isHonest = !question.about.contains(",")
                #expect(
                    (ours[index]["verdict"] == "accepted") == isHonest,
                    "\(question.about): \(ours[index].text)")
                for peer in WebAuthnJudges.peerNames {
                    let opinion = theirs[index][peer].string ?? ""
                    #expect(
                        (opinion == "accepted") == isAccepted(question.about, by: peer),
                        "\(question.about): \(peer) says \(opinion)")
                }
            }
        }

        /// As far as it is known. Who refuses the honest form refuses the spoilt ones as well.
        private func isAccepted(_ about: String, by peer: String) -> Bool {
            let honest = about.split(separator: ",").first.map(String.init) ?? ""
            if peer == "py_webauthn", Self.refusedByPyWebAuthn[honest] != nil { return false }
            return honest == about || WebAuthnJudges.accepts(peer, about)
        }

        private func questions() async throws -> [WebAuthnQuestion] {
            let vectors = SpecificationVectors.all
            let registrations = try vectors.map { try registration($0) }
            let judged = try await WebAuthnJudges.ours(registrations)
            try #require(judged.count == vectors.count)
            let signIns = try zip(vectors, judged).map { vector, verdict in
                try signIn(vector, publicKey: verdict["value"]["publicKey"])
            }
            return registrations + signIns
        }

        private func registration(_ vector: JSON) throws -> WebAuthnQuestion {
            let name = vector["name"].string ?? ""
            var question = try WebAuthnQuestion(
                kind: "registration", vector: vector["registration"],
                credential: credential(vector), "\(name) registration")
            question.json["algorithms"] = .array(
                COSEAlgorithm.allCases.map { .number(Double($0.rawValue)) })
            if !name.hasPrefix("none"), !name.contains("self") {
                question.json["trustAnchors"] = [
                    WebAuthnQuestion.base64url(SpecificationVectors.root)
                ]
            }
            return question
        }

        private func signIn(_ vector: JSON, publicKey: JSON) throws -> WebAuthnQuestion {
            var question = try WebAuthnQuestion(
                kind: "assertion", vector: vector["authentication"],
                credential: credential(vector), "\(vector["name"].string ?? "") sign-in")
            question.json["credential"] = [
                "id": .string(try credential(vector)), "publicKey": publicKey, "signCount": 0,
            ]
            return question
        }

        private func credential(_ vector: JSON) throws -> String {
            try #require(
                WebAuthnQuestion.base64url(vector["registration"]["credential_id"]).string)
        }
    }
}

/// The test vectors of WebAuthn Level 3: those of ../shared/vectors, and the five that it leaves
/// out, derived from the specification's rule.
private enum SpecificationVectors {
    static let shared = document("../shared/vectors/webauthn-l3.json")
    private static let more = document("Tests/Vectors/webauthn-l3-more.json")

    static var all: [JSON] { (shared?["vectors"].array ?? []) + (more?["vectors"].array ?? []) }
    static var root: JSON { shared?["attestation_root"]["attestation_ca_cert"] ?? .null }

    private static func document(_ path: String) -> JSON? {
        guard let data = try? Data(contentsOf: Repository.root.appending(path: path)) else {
            return nil
        }
        return try? JSON(parsing: Array(data))
    }
}
