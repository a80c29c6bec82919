// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Runs the tasks of a connection on the event loop that reads it.
///
/// The loop reads, runs the handler and writes, so that a request needs no change of threads.
/// Handlers must not block; blocking calls (hashing, libpq) run on separate threads.
final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        eventLoop.execute { unowned.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
