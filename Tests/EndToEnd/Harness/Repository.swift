// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The paths of this checkout.
enum Repository {
    /// The folder of Package.swift.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Screenshots and logs, kept after the run and ignored by git.
    static let output = root.appending(path: "Tests/EndToEnd/output")

    static let peers = root.appending(path: "Tests/EndToEnd/peers")

    /// The command from the directory of the running test bundle, unless the environment specifies
    /// another: `GATEHOUSE_UNDER_TEST`.
    static var gatehouse: URL {
        if let named = ProcessInfo.processInfo.environment["GATEHOUSE_UNDER_TEST"],
            !named.isEmpty
        {
            return URL(filePath: named)
        }
        let bundle =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
        return URL(filePath: bundle).deletingLastPathComponent().appending(path: "gatehouse")
    }

    /// The agent's program, which is alongside the command.
    static var agent: URL {
        gatehouse.deletingLastPathComponent().appending(path: "gatehouse-agent")
    }

    /// The Python of `Scripts/bootstrap`, with the peers from PyPI.
    static let python = root.appending(path: ".venv/bin/python")

    /// Of the same place: makes requests from an OpenAPI document.
    static let schemathesis = root.appending(path: ".venv/bin/schemathesis")

    static func outputFile(_ name: String) throws -> URL {
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        return output.appending(path: name)
    }

    /// Whether a program is installed: asked of PATH and the system folders.
    static func has(_ program: String) -> Bool { path(of: program) != nil }

    static func path(of program: String) -> URL? {
        let folders =
            (ProcessInfo.processInfo.environment["PATH"] ?? "")
            .split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/bin"]
        return folders.map { URL(filePath: $0).appending(path: program) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path()) }
    }

    static var hasPeers: Bool {
        FileManager.default.isExecutableFile(atPath: python.path())
    }
}
