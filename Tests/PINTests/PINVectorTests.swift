// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import JOSE
import PIN
import Primitives
import Testing

/// The vectors of `Vectors/pin`, which every implementation of the protocol runs.
@Suite struct PINVectorTests {
    private static let isWriting =
        ProcessInfo.processInfo.environment["GATEHOUSE_WRITE_VECTORS"] != nil

    @Test(
        "Each vector has the outcome that it states", .enabled(if: !isWriting),
        arguments: VectorTopic.pin.map(\.name))
    func runs(_ name: String) async throws {
        let topic = try #require(VectorTopic.pin.first { $0.name == name })
        let file = try #require(
            VectorFile(name, json: VectorFolder.read("pin/\(name).json")))
        var (passed, notApplicable) = (0, [String]())
        for one in file.cases {
            switch try await topic.run(one) {
            case .passed: passed += 1
            case .notApplicable(let reason): notApplicable.append("\(one.id): \(reason)")
            case .failed(let reason): Issue.record("\(one.id), \(one.rule): \(reason)")
            }
        }
        let run = file.cases.count - notApplicable.count
        print("pin/\(name): \(run) run, \(passed) passed, \(notApplicable.count) not applicable")
        for line in notApplicable { print("  \(line)") }
    }

    @Test(
        "The index has the SHA-256 and the number of cases of each file", .enabled(if: !isWriting))
    func index() throws {
        let index = try JSONParser.parseObject(
            VectorFolder.read("index.json"), maximumBytes: 65_536)
        #expect(index["format"]?.string == VectorFile.format)
        for topic in VectorTopic.pin {
            let path = "pin/\(topic.name).json"
            let bytes = try VectorFolder.read(path)
            let file = try #require(VectorFile(topic.name, json: bytes))
            let text = String(decoding: bytes, as: UTF8.self)
            let entry = index["files"]?[path]
            #expect(entry == VectorFolder.entry(text, count: file.cases.count))
            #expect(file.protocolName == "pin/2" && file.document == "docs/protocols/pin.md")
        }
    }

    @Test("Refusals outnumber acceptances", .enabled(if: !isWriting))
    func refusals() throws {
        let cases = try VectorTopic.pin.flatMap { topic in
            try #require(
                VectorFile(topic.name, json: VectorFolder.read("pin/\(topic.name).json"))
            ).cases
        }
        let refused = cases.count { $0.expect["result"] == "refused" }
        #expect(refused > cases.count - refused)
        #expect(!cases.contains { $0.rule.isEmpty || $0.expect.isEmpty })
    }

    @Test("A vector with another outcome fails", .enabled(if: !isWriting))
    func canFail() async throws {
        for topic in VectorTopic.pin {
            let file = try #require(
                VectorFile(topic.name, json: VectorFolder.read("pin/\(topic.name).json")))
            let one = try #require(file.cases.first)
            let wrong = VectorCase(
                one.rule, one.kind, input: one.input, given: one.given,
                expect: .refused("another"))
            guard case .failed = try await topic.run(wrong) else {
                Issue.record("\(one.id) passes with another outcome")
                continue
            }
        }
    }

    /// `Scripts/vectors` runs this.
    @Test("Makes the vectors again", .enabled(if: isWriting))
    func make() async throws {
        var files = JSONObject()
        if let bytes = try? VectorFolder.read("index.json"),
            let old = try? JSONParser.parseObject(bytes, maximumBytes: 65_536)["files"]?.object
        {
            files = JSONObject(old.members.filter { !$0.name.hasPrefix("pin/") })
        }
        for topic in VectorTopic.pin {
            let file = VectorFile(
                topic.name, of: "pin/2", document: "docs/protocols/pin.md",
                try await topic.make())
            let path = "pin/\(topic.name).json"
            try VectorFolder.write(file.text, to: path)
            files[path] = VectorFolder.entry(file.text, count: file.cases.count)
        }
        let sorted = JSONObject(files.members.sorted { $0.name < $1.name })
        let lines = sorted.members.map { #"  "\#($0.name)": \#($0.value.text)"# }
        let text =
            #"{"format":"\#(VectorFile.format)","files":{"# + "\n"
            + lines.joined(separator: ",\n") + "\n}}\n"
        try VectorFolder.write(text, to: "index.json")
    }
}
