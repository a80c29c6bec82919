// SPDX-License-Identifier: Apache-2.0
package import Platform
import Synchronization

/// The disk of this machine, until the power fails at one step of a write. Nothing that was begun is tidied up.
package final class StoppedDisk: Disk {
    /// What the last call had done.
    package enum Step: Int, Sendable, CaseIterable, Comparable {
        case created, halfWritten, written, synchronized, renamed, folderSynchronized

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var step: Step?
        var isRenamed = false
    }

    private let disk = SystemDisk()
    private let state = Mutex(State())

    package init() {}

    package func strike(at step: Step) { state.withLock { $0 = State(step: step) } }

    private func pass(_ step: Step) throws(PlatformError) {
        if state.withLock({ $0.step == step }) { throw PlatformError("power", "", code: 0) }
    }

    package func create(_ path: String, mode: UInt32) throws(PlatformError) -> Int32 {
        let file = try disk.create(path, mode: mode)
        do throws(PlatformError) { try pass(.created) } catch {
            disk.close(file)
            throw error
        }
        return file
    }

    package func open(_ path: String) throws(PlatformError) -> Int32 { try disk.open(path) }

    package func write(
        _ bytes: UnsafeRawBufferPointer, to file: Int32
    ) throws(PlatformError) -> Int {
        if state.withLock({ $0.step == .halfWritten }) {
            _ = try disk.write(.init(rebasing: bytes.prefix(max(bytes.count / 2, 1))), to: file)
            try pass(.halfWritten)
        }
        let count = try disk.write(bytes, to: file)
        try pass(.written)
        return count
    }

    package func synchronize(_ file: Int32) throws(PlatformError) {
        try disk.synchronize(file)
        try pass(state.withLock(\.isRenamed) ? .folderSynchronized : .synchronized)
    }

    package func close(_ file: Int32) { disk.close(file) }

    package func rename(_ path: String, to name: String) throws(PlatformError) {
        try disk.rename(path, to: name)
        state.withLock { $0.isRenamed = true }
        try pass(.renamed)
    }

    package func exchange(_ path: String, with name: String) throws(PlatformError) {
        try disk.exchange(path, with: name)
        state.withLock { $0.isRenamed = true }
        try pass(.renamed)
    }

    package func link(_ path: String, to name: String) throws(PlatformError) {
        try disk.link(path, to: name)
    }

    package func remove(_ path: String) throws(PlatformError) {
        // After a loss of power the program removes nothing.
        if state.withLock({ $0.step == nil }) { try disk.remove(path) }
    }

    package func makeFolder(_ path: String, mode: UInt32) throws(PlatformError) {
        try disk.makeFolder(path, mode: mode)
    }
}
