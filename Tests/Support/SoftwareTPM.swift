// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Debian's swtpm with a fresh state, ended with its owner.
package final class SoftwareTPM: Sendable {
    private let folder = TestFolder()
    private let child: ChildProcess

    package var path: String { folder.path("socket") }

    package init() async throws {
        child = try ChildProcess(
            URL(filePath: "/usr/bin/swtpm"),
            [
                "socket", "--tpm2", "--tpmstate", "dir=\(folder.path("."))", "--server",
                "type=unixio,path=\(folder.path("socket"))", "--ctrl",
                "type=unixio,path=\(folder.path("control"))", "--flags", "startup-clear",
                "--pid", "file=\(folder.path("pid"))",
            ], log: URL(filePath: folder.path("log")))
        // Written once both sockets listen.
        try await eventually("swtpm listens") {
            FileManager.default.fileExists(atPath: folder.path("pid")) ? true : nil
        }
    }
}
