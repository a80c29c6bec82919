// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import JOSE
import Primitives

/// A case of a vector file: `gatehouse-vectors/1` (Vectors/README.md).
struct VectorCase: Sendable {
    var id = ""
    /// The rule of the document that the case follows or breaks.
    let rule: String
    /// `bytes`, `read`, `make` or `decide`.
    let kind: String
    let input: JSONValue?
    let given: JSONObject
    let expect: JSONObject

    init(
        _ rule: String, _ kind: String, input: JSONValue? = nil, given: JSONObject = JSONObject(),
        expect: JSONObject
    ) {
        (self.rule, self.kind, self.input) = (rule, kind, input)
        (self.given, self.expect) = (given, expect)
    }

    init?(_ value: JSONValue) {
        guard let object = value.object, let id = object["id"]?.string,
            let rule = object["rule"]?.string, let kind = object["kind"]?.string,
            let given = object["given"]?.object, let expect = object["expect"]?.object
        else { return nil }
        self.init(rule, kind, input: object["input"], given: given, expect: expect)
        self.id = id
    }

    var json: JSONValue {
        var object = JSONObject()
        object["id"] = .string(id)
        object["rule"] = .string(rule)
        object["kind"] = .string(kind)
        object["input"] = input
        object["given"] = .object(given)
        object["expect"] = .object(expect)
        return .object(object)
    }

    /// A value of `given` or `expect`, as bytes.
    func bytes(_ name: String) -> [UInt8]? {
        (given[name] ?? expect[name])?.string.flatMap { Base64URL.decode($0) }
    }

    func number(_ name: String) -> Int? {
        given[name]?.integer.flatMap(Int.init(exactly:))
    }
}

/// The cases of one topic of one protocol.
struct VectorFile: Sendable {
    static let format = "gatehouse-vectors/1"

    let name: String
    let protocolName: String
    let document: String
    var cases: [VectorCase]

    /// Numbers the cases: `signin-007` is the seventh of its file.
    init(_ name: String, of protocolName: String, document: String, _ cases: [VectorCase]) {
        (self.name, self.protocolName, self.document) = (name, protocolName, document)
        self.cases = cases
        for index in cases.indices {
            let number = String(index + 1)
            let zeros = String(repeating: "0", count: max(0, 3 - number.count))
            self.cases[index].id = "\(name)-\(zeros)\(number)"
        }
    }

    init?(_ name: String, json: [UInt8]) {
        guard let object = try? JSONParser.parseObject(json, maximumBytes: 4 << 20),
            object["format"]?.string == Self.format,
            let protocolName = object["protocol"]?.string,
            let document = object["document"]?.string, let list = object["cases"]?.array
        else { return nil }
        let cases = list.compactMap { VectorCase($0) }
        guard cases.count == list.count, Set(cases.map(\.id)).count == cases.count else {
            return nil
        }
        (self.name, self.protocolName, self.document) = (name, protocolName, document)
        self.cases = cases
    }

    /// One case a line, so that a change is legible.
    var text: String {
        let head =
            #"{"format":"\#(Self.format)","protocol":"\#(protocolName)","document":"\#(document)","cases":["#
        return head + "\n" + cases.map(\.json.text).joined(separator: ",\n") + "\n]}\n"
    }
}

/// The folder of the vectors.
enum VectorFolder {
    static let root = {
        let parts = #filePath.split(separator: "/")
        return "/" + parts.dropLast(4).joined(separator: "/") + "/Vectors"
    }()

    static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(root)/\(path)")))
    }

    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(root)/\(path)"))
    }

    /// The line of the index for a file of that protocol.
    static func entry(_ text: String, count: Int) -> JSONValue {
        let digest = SHA256.hash(data: Array(text.utf8))
        return ["sha256": .string(Hexadecimal.encode(digest)), "cases": .integer(Int64(count))]
    }
}
