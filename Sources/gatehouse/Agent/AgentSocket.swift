// SPDX-License-Identifier: Apache-2.0
import Agent
import AgentWaiting
import Foundation
import Platform

/// The agent's listening socket for the lifetime of the process. Each server receives a duplicate.
struct AgentSocket: Sendable {
    let descriptor: Descriptor
    /// The path of the socket file; empty if a service manager created it and removes it.
    let path: String

    /// Uses an open socket.
    init(descriptor: Descriptor, path: String = "") {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a socket; its directory may be missing.
    init(path: String) throws {
        let parent = URL(filePath: path).deletingLastPathComponent().path()
        try? FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true)
        do throws(IdleProcessError) {
            self.init(descriptor: try AgentSocketFile.listen(at: path), path: path)
        } catch { throw CommandError("\(path): \(error)") }
    }

    func duplicate() throws -> Int32 {
        do throws(PlatformError) { return try descriptor.duplicate(from: 3).rawValue } catch {
            throw CommandError("the socket: \(error.code)")
        }
    }

    func remove() { if !path.isEmpty { try? FileSystem.remove(path) } }
}
