// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A program that is run to its end.
struct Command {
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Input goes in as a file, so that no pipe can fill.
    static func run(
        _ program: URL, _ arguments: [String], input: String = "",
        environment: [String: String] = [:]
    ) async throws -> Outcome {
        let folder = try TemporaryDirectory()
        try folder.write(input, to: "in")
        let child = try ChildProcess(
            program, arguments, input: folder.file("in"), log: folder.file("out"),
            errors: folder.file("err"), environment: environment)
        let status = try await child.ended(within: .seconds(120))
        return Outcome(
            status: status,
            output: try String(contentsOf: folder.file("out"), encoding: .utf8),
            errors: try String(contentsOf: folder.file("err"), encoding: .utf8))
    }

    static func gatehouse(_ arguments: String..., input: String = "") async throws -> Outcome {
        try await run(Repository.gatehouse, arguments, input: input)
    }

    /// A peer's script in `peers/`, under the Python with the packages from PyPI.
    static func peer(
        _ script: String, _ arguments: [String], input: String = ""
    ) async throws -> Outcome {
        let file = Repository.peers.appending(path: script).path()
        return try await run(Repository.python, [file] + arguments, input: input)
    }
}
