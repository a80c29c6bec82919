// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Debian's swtpm with a fresh state, ended with its owner.
final class SoftwareTPM: Sendable {
    private let folder = TestFolder()
    private let pid: Int32

    var path: String { folder.path("socket") }

    init() async throws {
        let started = try await PeerProgram.run([
            "/usr/bin/swtpm", "socket", "--tpm2", "--daemon", "--tpmstate",
            "dir=\(folder.path("."))", "--pid", "file=\(folder.path("pid"))", "--server",
            "type=unixio,path=\(folder.path("socket"))", "--ctrl",
            "type=unixio,path=\(folder.path("control"))", "--flags", "startup-clear",
        ])
        try #require(started.status == 0, "\(started.errors)")
        let text = try String(contentsOf: URL(filePath: folder.path("pid")), encoding: .utf8)
        pid = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    deinit { kill(pid, SIGTERM) }
}
