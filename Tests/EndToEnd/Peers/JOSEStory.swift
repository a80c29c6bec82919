// SPDX-License-Identifier: Apache-2.0
import Primitives
import Testing

extension EndToEnd {
    /// A second implementation of JOSE creates messages, which Gatehouse verifies.
    @Suite(
        "joserfc", .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"))
    struct JOSEStory {
        @Test("every message of joserfc is verified correctly", arguments: ["jws", "jwe"])
        func messages(kind: String) async throws {
            let made = try await Command.peer("oauth/jose_messages.py", [kind])
            try #require(made.status == 0, "\(made.errors)")
            let cases = try made.output.split(separator: "\n").map {
                try JSON(parsing: Array($0.utf8))
            }
            try #require(cases.count >= 50)
            let input = cases.map { question($0).text }.joined(separator: "\n") + "\n"
            let judged = try await Command.gatehouse("inspect", kind, "--batch", input: input)
            let verdicts = try judged.output.split(separator: "\n").map {
                try JSON(parsing: Array($0.utf8))
            }
            try #require(verdicts.count == cases.count, "\(judged.errors)")
            for (one, verdict) in zip(cases, verdicts) { judge(one, verdict) }
        }

        /// Without what only this test reads.
        private func question(_ one: JSON) -> JSON {
            guard case .object(let members) = one else { return one }
            return .object(members.filter { !["about", "expect"].contains($0.key) })
        }

        private func judge(_ one: JSON, _ verdict: JSON) {
            let about = one["about"].string ?? ""
            #expect(verdict["verdict"] == one["expect"], "\(about): \(verdict.text)")
            guard one["expect"] == "accepted" else { return }
            let content = verdict["value"]["payload"].string ?? verdict["value"]["plaintext"].string
            #expect(content.flatMap(decoded) == "Schöne Grüße from joserfc", "\(about)")
        }
    }
}

/// Text from base64url.
private func decoded(_ text: String) -> String? {
    Base64URL.decode(text).flatMap { String(validating: $0, as: UTF8.self) }
}
