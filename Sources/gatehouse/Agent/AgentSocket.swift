// SPDX-License-Identifier: Apache-2.0
import Agent
import AgentWaiting
import Foundation
import Platform

/// The agent's socket, for as long as the process lives: each server gets a duplicate of it.
struct AgentSocket: Sendable {
    let descriptor: Descriptor
    /// Empty where somebody else has opened it, who removes it as well.
    let path: String

    /// One that is there already.
    init(descriptor: Descriptor, path: String = "") {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens one; the folder may be missing.
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
