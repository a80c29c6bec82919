// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A system that a separate systemd runs, in name spaces: an installation affects only it.
final class SystemdHouse: Sendable {
    private let folder: TemporaryDirectory
    private let starter: ChildProcess
    private let first: Int32

    static var isPossible: Bool {
        let cells = ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"]
        return getuid() == 0 && Repository.has("unshare") && Repository.has("nsenter")
            && FileManager.default.isExecutableFile(atPath: "/lib/systemd/systemd")
            && cells.contains { access("\($0)/cgroup.procs", W_OK) == 0 } && hasOwnSpaces
    }

    /// Whether name spaces are available: in a container root may lack that right.
    private static let hasOwnSpaces: Bool = {
        let probe = Process()
        probe.executableURL = Repository.path(of: "unshare")
        probe.arguments = [
            "--mount", "--mount-proc", "--pid", "--fork", "--uts", "--ipc", "--cgroup", "--",
            "true",
        ]
        probe.standardOutput = FileHandle.nullDevice
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    init(_ name: String) async throws {
        let folder = try TemporaryDirectory()
        self.folder = folder
        let programs = Repository.gatehouse.resolvingSymlinksInPath().deletingLastPathComponent()
        let starter = try ChildProcess(
            Repository.peers.appending(path: "agent/systemd_house.sh"),
            [folder.url.path(), programs.path()], log: Repository.outputFile("\(name).log"))
        self.starter = starter
        first = try await eventually("the first process of the house", within: .seconds(60)) {
            // Before it the script has others, for a moment each.
            let list = "/proc/\(starter.pid)/task/\(starter.pid)/children"
            let text = (try? String(contentsOfFile: list, encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { Int32($0) }.first { child in
                let name = try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)
                return name == "systemd\n"
            }
        }
        try await eventually("its systemd runs", within: .seconds(60)) {
            let state = try await run("systemctl", "is-system-running")
            guard state.output == "running\n" else { throw NotRunning(state: state) }
            return true
        }
    }

    private struct NotRunning: Error {
        let state: Command.Outcome
    }

    /// Runs a command in there.
    func run(_ words: String...) async throws -> Command.Outcome { try await enter(words) }

    func gatehouse(_ words: String...) async throws -> Command.Outcome {
        try await enter(["/run/house/gatehouse"] + words)
    }

    private func enter(_ words: [String]) async throws -> Command.Outcome {
        let nsenter = Repository.path(of: "nsenter") ?? URL(filePath: "/usr/bin/nsenter")
        let flags = ["-t", "\(first)", "-m", "-p", "-u", "-i", "-C", "--"]
        return try await Command.run(nsenter, flags + words)
    }

    /// What systemd says of the agent's service.
    func service(_ property: String) async throws -> String {
        try await run("systemctl", "show", "-p", property, "--value", "gatehouse-agent.service")
            .output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func stop() async throws { try await starter.stop(SIGKILL) }
}
