// SPDX-License-Identifier: Apache-2.0
import Testing

/// The verifiers of WebAuthn responses: `gatehouse inspect`, and two peers with their usual API.
enum WebAuthnJudges {
    static let peerNames = ["py_webauthn", "python-fido2"]

    /// Where a peer accepts what we refuse, and why we are right. A row is for every question
    /// that ends with its words; a peer that mends its fault fails the test, so that the row goes.
    private static let differences = [
        Difference(
            "py_webauthn", "registration, another id",
            "step 7.1.27 stores the attested id; the one that the client names must be it"),
        Difference("python-fido2", "registration, another id", "as py_webauthn"),
        Difference(
            "py_webauthn", "registration, one more byte",
            "an attestation object is one CBOR item; the bytes after it are not signed"),
        Difference(
            "python-fido2", "attestation object cut",
            "its decoder takes a byte string that is shorter than it says"),
        Difference(
            "python-fido2", "type is not public-key",
            "section 5.8.2 knows one type, and the response must be of it"),
        Difference(
            "python-fido2", "counter stands still",
            "step 7.2.22 asks for a decision; python-fido2 keeps no counter"),
    ]

    private struct Difference {
        let peer: String
        let about: String

        /// The third word is for the reader.
        init(_ peer: String, _ about: String, _: String) {
            self.peer = peer
            self.about = about
        }
    }

    /// Whether it is known that `peer` accepts this spoilt question.
    static func accepts(_ peer: String, _ about: String) -> Bool {
        differences.contains { $0.peer == peer && about.hasSuffix($0.about) }
    }

    static func ours(_ questions: [WebAuthnQuestion]) async throws -> [JSON] {
        var verdicts: [Int: JSON] = [:]
        for kind in ["registration", "assertion"] {
            let indices = questions.indices.filter { questions[$0].json["kind"].string == kind }
            guard !indices.isEmpty else { continue }
            let input = indices.map { questions[$0].json.text }.joined(separator: "\n") + "\n"
            let judged = try await Command.gatehouse(
                "inspect", "webauthn-\(kind)", "--batch", input: input)
            for (index, line) in zip(indices, judged.output.split(separator: "\n")) {
                verdicts[index] = try JSON(parsing: Array(line.utf8))
            }
        }
        return questions.indices.compactMap { verdicts[$0] }
    }

    static func peers(_ questions: [WebAuthnQuestion]) async throws -> [JSON] {
        let input = questions.map(\.json.text).joined(separator: "\n") + "\n"
        let judged = try await Command.peer("webauthn_opinions.py", [], input: input)
        try #require(judged.status == 0, "\(judged.errors)")
        return try judged.output.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    }
}
