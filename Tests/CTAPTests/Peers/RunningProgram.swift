// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A program that runs during a test, and whose lines are read as they arrive.
final class RunningProgram: Sendable {
    private let child: ChildProcess
    private let folder = TestFolder()

    init(_ words: [String], environment: [String: String] = [:]) throws {
        child = try ChildProcess(
            URL(filePath: words[0]), Array(words.dropFirst()),
            log: URL(filePath: folder.path("output")),
            errors: URL(filePath: folder.path("errors")), environment: environment)
    }

    private var output: [String] {
        let text = (try? String(contentsOf: child.log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }

    /// Waits for a line that holds `text`.
    @discardableResult
    func line(containing text: String) async throws -> String {
        try await eventually("a line with '\(text)'") {
            output.first { $0.contains(text) }
        }
    }

    /// All that it wrote, once it has ended by itself.
    func lines() async throws -> [String] {
        _ = try await child.ended(within: .seconds(60))
        return output
    }

    /// Ends it, and waits until it has gone.
    func end() async throws { try await child.stop() }
}
