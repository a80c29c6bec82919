// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The text of the statements, as the sources contain it.
@Suite struct StatementTextTests {
    /// Files with statements that cut or match texts, and why.
    private static let exceptions = [
        "DeviceRegistrationChange.swift": "a serial number is compared without its spaces",
        "SQLDialect.swift": "placeholders of schema steps",
    ]

    private func files() throws -> [URL] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/StorageSQL").standardized
        let files = try #require(
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        ).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        #expect(files.count > 80)
        return files
    }

    @Test("An update that lists its columns sets at most four: others follow from the record")
    func updates() throws {
        var count = 0
        for file in try files() where file.path.contains("/Verbs/") {
            let text = try String(contentsOf: file, encoding: .utf8)
            let update = /UPDATE(?:\s+\w+)?\s+SET\s(?<columns>.*?)(?:\sWHERE\s|""")/
            for match in text.matches(of: update.dotMatchesNewlines()) {
                let assignments = match.columns.split(separator: " = ").count - 1
                #expect(assignments <= 4, "\(file.lastPathComponent): \(match.columns)")
                count += 1
            }
        }
        #expect(count > 40)
    }

    @Test("no statement outside the schema finds its rows by cutting or matching a text")
    func structure() throws {
        let files = try files()
        // Steps of the schema fill columns from texts (`Backfill`).
        for file in files where !file.path.contains("/Schema/") {
            guard Self.exceptions[file.lastPathComponent] == nil else { continue }
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            // A function of Swift may have such a name.
            for line in lines where !line.contains("func ") && !line.contains("try ") {
                for word in ["substr(", "replace(", "instr(", "strpos(", " LIKE "] {
                    #expect(!line.contains(word), "\(file.lastPathComponent): \(line)")
                }
            }
        }
    }
}
