// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The repository contains all files to which its pages refer.
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
        let folders = ["docs", "Examples", "Benchmarks", "Fuzz", "Scripts", "Sources"]
            .map { root.appending(path: $0) }
        let below = folders.flatMap { folder in
            FileManager.default.enumerator(
                at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])?
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

    // MARK: Words

    private static let kinds = [
        "", "1", "css", "h", "html", "js", "json", "lua", "md", "mustache", "plist", "pml", "py",
        "sh", "swift", "ts", "txt", "yaml", "yml",
    ]

    /// Every file with text in it, fenced blocks and comments included; nothing that is made from them.
    private static func texts() -> [URL] {
        let made = ["node_modules", "output", "results"]
        var files: [URL] = []
        let all = FileManager.default.enumerator(
            at: root, includingPropertiesForKeys: [.isDirectoryKey],
            options: [.skipsHiddenFiles])
        while let file = all?.nextObject() as? URL {
            let isFolder = (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory
            if isFolder == true {
                if made.contains(file.lastPathComponent) { all?.skipDescendants() }
            } else if kinds.contains(file.pathExtension) {
                files.append(file)
            }
        }
        return files
    }

    @Test("no text of the repository names a document that is not in it: pages, comments, scripts")
    func words() throws {
        let documents = [
            "CONTRACT.md", "CONTRACT section", "DESIGN.md", "of the contract", "seed 00",
        ]
        let places = ["../shared", "shared/vectors", "shared/reference"]
        let here = URL(filePath: #filePath).standardizedFileURL
        let texts = Self.texts()
        #expect(texts.count > 1000)
        for file in texts where file.standardizedFileURL != here {
            let text = try Data(contentsOf: file)
            // Tests read vectors where they are shared, and say so where they are not.
            let isTest = file.path().contains("/Tests/")
            for word in documents + (isTest ? [] : places) {
                let found = text.range(of: Data(word.utf8)) != nil
                #expect(!found, "\(file.path()): \(word)")
            }
        }
    }
}
