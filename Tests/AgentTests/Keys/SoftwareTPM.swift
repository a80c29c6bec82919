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
    private let child: ChildProcess

    var path: String { folder.path("socket") }

    init() async throws {
        child = try ChildProcess(
            URL(filePath: "/usr/bin/swtpm"),
            [
                "socket", "--tpm2", "--tpmstate", "dir=\(folder.path("."))", "--server",
                "type=unixio,path=\(folder.path("socket"))", "--ctrl",
                "type=unixio,path=\(folder.path("control"))", "--flags", "startup-clear",
            ], log: URL(filePath: folder.path("log")))
        try await eventually("swtpm listens") {
            FileManager.default.fileExists(atPath: folder.path("socket")) ? true : nil
        }
    }
}
