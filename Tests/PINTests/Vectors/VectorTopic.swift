// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A topic of vectors: how the tests make its cases, and how the code under test runs one.
struct VectorTopic: Sendable {
    let name: String
    let make: @Sendable () async throws -> [VectorCase]
    let run: @Sendable (VectorCase) async throws -> VectorVerdict

    static let pin = [
        PINVectorBytes.topic, PINVectorRequests.topic, PINVectorDecisions.topic,
        PINVectorMessages.topic, PINVectorStatements.topic, PINVectorResponses.topic,
    ]
}

enum VectorVerdict: Sendable {
    case passed
    case failed(String)
    case notApplicable(String)

    /// Compares what came of a case with what the case expects.
    static func comparing(_ found: JSONObject, _ expected: JSONObject) -> VectorVerdict {
        let isSame =
            found.members.count == expected.members.count
            && found.members.allSatisfy { expected[$0.name] == $0.value }
        return isSame
            ? .passed : .failed("found \(found.json.text), expected \(expected.json.text)")
    }
}

extension JSONObject {
    static func refused(_ code: String) -> JSONObject {
        JSONObject([
            .init(name: "result", value: "refused"), .init(name: "code", value: .string(code)),
        ])
    }

    static func accepted(_ members: [(String, JSONValue)]) -> JSONObject {
        JSONObject(
            [.init(name: "result", value: "accepted")]
                + members.map { .init(name: $0.0, value: $0.1) })
    }

    static func given(_ members: (String, JSONValue)...) -> JSONObject {
        JSONObject(members.map { .init(name: $0.0, value: $0.1) })
    }
}

extension JSONValue {
    static func base64URL(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }
}
