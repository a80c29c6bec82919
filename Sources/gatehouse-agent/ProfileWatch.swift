// SPDX-License-Identifier: Apache-2.0
import Agent
import Platform
import Synchronization

/// Tells when a profile comes, goes or changes: in the folder, and in those of single accounts, which
/// come and go themselves.
final class ProfileWatch: Sendable {
    private struct State {
        var watch: FolderWatch?
        var folders: [String] = []
        var isOver = false
    }

    private let profiles: ProfileFolder
    private let changed: @Sendable () -> Void
    private let state = Mutex(State())

    /// `nil` when the system refuses.
    init?(_ path: String, changed: @escaping @Sendable () -> Void) {
        profiles = ProfileFolder(path: path)
        self.changed = changed
        guard look() else { return nil }
    }

    /// Watches the folders that there are now.
    ///
    /// - Parameter isAnew: Also those that were watched: one may have gone, and another come in its place.
    private func look(isAnew: Bool = false) -> Bool {
        state.withLock { state in
            if isAnew { state.folders = [] }
            while !state.isOver {
                let folders = profiles.folders
                // Looked at once more when all are watched: one may have come in between.
                guard folders != state.folders, let first = folders.first else { break }
                let others = Array(folders.dropFirst())
                let watch = FolderWatch(first, and: others, includingContent: true) {
                    [weak self] _ in self?.happened()
                }
                guard let watch else { return false }
                (state.watch, state.folders) = (watch, folders)
            }
            return true
        }
    }

    private func happened() {
        // A folder that has come is watched before it is read, so that nothing in it is missed.
        _ = look(isAnew: true)
        changed()
    }

    func stop() {
        state.withLock { state in
            state.isOver = true
            state.watch?.stop()
            state.watch = nil
        }
    }
}
