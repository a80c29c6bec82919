// SPDX-License-Identifier: Apache-2.0
import Agent
import CommandLineSupport
import Platform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The agent's socket. The server that listens there closes it.
struct AgentSocket: Sendable {
    let descriptor: Descriptor
    /// Empty if another program opened the socket, which removes it as well.
    private let path: String

    /// A socket that another program opened.
    init(descriptor: Descriptor) {
        self.descriptor = descriptor
        path = ""
    }

    /// Opens a socket, and creates its directory if that does not exist.
    init(path: String) throws {
        let parent = URL(filePath: path).deletingLastPathComponent().path()
        try? FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true)
        do throws(PlatformError) { descriptor = try AgentSocketFile.listen(at: path) } catch {
            throw CommandError("\(path): \(error.call): \(error.code)")
        }
        self.path = path
    }

    func remove() { if !path.isEmpty { try? FileSystem.remove(path) } }
}
