// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Runs the tasks of a connection on the event loop that reads it.
///
/// A request then costs no change of threads: the loop reads, the handler runs, the loop writes.
/// Handlers must not block; what blocks (hashing, libpq) has threads of its own.
final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        eventLoop.execute { unowned.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
