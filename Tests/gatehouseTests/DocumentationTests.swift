// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Whoever has the repository has everything that its pages speak of.
@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// A page, by its path in the repository.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func pages() throws -> [URL] {
        let here = try FileManager.default.contentsOfDirectory(
            at: root, includingPropertiesForKeys: nil)
        let folders = ["docs", "Examples", "Benchmarks", "Clients"].map { root.appending(path: $0) }
        let below = folders.flatMap { folder in
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
                .compactMap { $0 as? URL } ?? []
        }
        return (here + below).filter {
            $0.pathExtension == "md" && !$0.path().contains("/node_modules/")
        }
    }

    @Test("no page points outside the repository, and what it links to is there")
    func links() throws {
        let drawn = try String(contentsOf: Self.root.appending(path: "Makefile"), encoding: .utf8)
        let pages = try Self.pages()
        #expect(pages.count > 20)
        for page in pages {
            let text = try String(contentsOf: page, encoding: .utf8)
                .replacing(/```(?s:.*?)```/, with: "")
            for word in ["../shared", "CONTRACT.md", "DESIGN.md", "of the contract", "/work/"] {
                #expect(!text.contains(word), "\(page.lastPathComponent): \(word)")
            }
            for link in text.matches(of: /\]\((?<target>[^)#\s:]+)(#[^)]*)?\)/) {
                let target = page.deletingLastPathComponent().appending(path: String(link.target))
                    .standardizedFileURL
                let isInside = target.path().hasPrefix(Self.root.standardizedFileURL.path())
                // What make docs draws may be drawn yet.
                let isThere =
                    FileManager.default.fileExists(atPath: target.path())
                    || drawn.contains("> docs/\(target.lastPathComponent)")
                #expect(isInside && isThere, "\(page.lastPathComponent): \(link.target)")
            }
        }
    }
}
