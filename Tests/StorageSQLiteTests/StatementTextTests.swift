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

    @Test("no statement outside the schema finds its rows by cutting or matching a text")
    func structure() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/StorageSQL").standardized
        let files = try #require(
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        ).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        #expect(files.count > 80)
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
