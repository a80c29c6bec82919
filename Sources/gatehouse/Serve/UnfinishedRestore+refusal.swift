// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Platform
import Primitives
import Storage

extension StoreMaintenance {
    /// Throws ``CommandError`` if a restore has begun and not ended: it runs, or was killed.
    func refuseUnfinishedRestore() async throws {
        if let restore = try await unfinishedRestore() { throw restore.refusal }
    }
}

extension UnfinishedRestore {
    /// Of this process.
    static func current(now: Timestamp = SystemWallClock().now) -> UnfinishedRestore {
        UnfinishedRestore(process: ServerPresence.processName, startedAt: now)
    }

    /// The process that restores cannot be asked: it may be on another host.
    fileprivate var refusal: CommandError {
        CommandError(
            "a restore into this database began at \(startedAt.rfc3339) and has not ended "
                + "(\(process)). If it runs, start again after its end. If it was killed, run gatehouse "
                + "store restore FILE again; or gatehouse store restore --abandon, to use the content "
                + "from before the restore")
    }
}
