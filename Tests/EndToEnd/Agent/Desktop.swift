// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A person at a desktop: the pages that programs open there are written down, for a test to open.
struct Desktop {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        let page = folder.file("page").path()
        let opener = try folder.write(
            """
            #!/bin/sh
            printf %s "$1" > '\(page).draft' && mv '\(page).draft' '\(page)'

            """, to: "xdg-open")
        chmod(opener.path(), 0o755)
    }

    /// A command of that machine, in a terminal of the desktop.
    func terminal(_ words: String..., on machine: AgentMachine) async throws -> TerminalSession {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try await TerminalSession(
            Repository.gatehouse, words + ["--socket", machine.socket], columns: 90, rows: 40,
            environment: ["BROWSER": "yes", "PATH": folder.url.path() + ":" + path])
    }

    /// The page that was opened last.
    func page() async throws -> String {
        try await eventually("a page is opened") {
            try? String(contentsOf: folder.file("page"), encoding: .utf8)
        }
    }
}
