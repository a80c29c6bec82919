// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// `Scripts/reproducible`, which compares two builds.
    @Suite(
        "Comparison of two builds",
        .enabled(
            if: Repository.has("python3") && Repository.has("readelf"),
            "needs Python and readelf"))
    struct ReproducibleTests {
        private func run(_ words: String...) async throws -> Command.Outcome {
            try await Command.run(Repository.root.appending(path: "Scripts/reproducible"), words)
        }

        @Test("the first file, entry and section that differ are found in folders made for it")
        func selfTest() async throws {
            let outcome = try await run("--self-test")
            #expect(outcome.status == 0, "\(outcome.errors)")
        }

        @Test("equal builds exit with 0, other ones with 1 and the file, and a usage error with 2")
        func status() async throws {
            let (one, two) = (try TemporaryDirectory(), try TemporaryDirectory())
            for folder in [one, two] { try folder.write("same\n", to: "a") }
            let (left, right) = (one.url.path(), two.url.path())
            let equal = try await run(left, right)
            #expect(equal.status == 0 && equal.output == "equal: 1 files\n", "\(equal.errors)")
            try two.write("other\n", to: "a")
            let different = try await run(left, right)
            #expect(different.status == 1 && different.errors.contains("→ a: line 1: 'same'"))
            #expect(try await run(left, right + "nowhere").status == 1)
            #expect(try await run(left).status == 2)
        }
    }
}
