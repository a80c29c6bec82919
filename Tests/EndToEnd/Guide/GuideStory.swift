// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

/// The operator's guide (docs/guide), followed by Scripts/guide. It shares nothing with the other
/// stories.
@Suite("End to end, the operator's guide", .serialized, .timeLimit(.minutes(10)))
struct GuideStory {
    private static var isPossible: Bool {
        SystemdHouse.isPossible && Repository.hasPeers
            && ["systemd-nspawn", "setpriv", "dpkg-deb", "nginx"].allSatisfy(Repository.has)
    }

    @Test(
        "The guide names settings, metrics, log fields and files that exist, and its state files are accepted"
    )
    func check() async throws {
        let text = try await guide("check")
        #expect(text.contains("ok: recipes/grafana.md: state file 1 is accepted"), "\(text)")
    }

    @Test(
        "The commands of the guide work in a copy of this system, from the package to sign-ins, recipes, a restore and a move",
        .enabled(
            if: isPossible, "needs root, systemd-nspawn, nginx, control groups and .venv"))
    func run() async throws {
        let text = try await guide("run")
        for page in ["small", "recipes/nginx", "upgrade", "backup", "disaster"] {
            #expect(text.contains("ok: \(page).md:"), "\(text.suffix(4000))")
        }
    }

    @Test(
        "The commands for two processes work in three machines: PostgreSQL with a standby, haproxy, sign-ins while one process is stopped, a backup",
        .enabled(
            if: isPossible && Repository.has("haproxy") && PostgreSQLServer.unavailable == nil,
            "needs root, systemd-nspawn, haproxy, PostgreSQL, control groups and .venv"))
    func large() async throws {
        let text = try await guide("run", "large.md")
        #expect(text.contains("store backup"), "\(text.suffix(4000))")
        #expect(text.contains("0 failed"), "\(text.suffix(4000))")
    }

    /// Runs the script with the programs of this build, and returns what it prints.
    private func guide(_ verb: String, _ pages: String...) async throws -> String {
        let programs = Repository.gatehouse.resolvingSymlinksInPath().deletingLastPathComponent()
        let log = try Repository.outputFile("guide-\(([verb] + pages).joined(separator: "-")).log")
        let script = try ChildProcess(
            Repository.root.appending(path: "Scripts/guide"),
            [verb, "--programs", programs.path()] + pages, log: log)
        let status = try await script.ended(within: .seconds(540))
        let text = try String(contentsOf: log, encoding: .utf8)
        #expect(status == 0, "\(text.suffix(6000))")
        return text
    }
}
