// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
    import NIOCore
    import NIOPosix
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

    /// Runs Swift's tasks on two event loops of their own, so that an idle agent does not wake up.
    ///
    /// The executor of the standard library uses Dispatch. From the first task on, Dispatch wakes the process
    /// once a second on Linux, to count its threads. An event loop sleeps until a job or a time is due.
    /// docs/decisions/0027-executor-of-the-agent.md has the reasons.
    final class EventLoopExecutor: TaskExecutor, SchedulingExecutor {
        private struct Factory: ExecutorFactory {
            private static let shared = EventLoopExecutor()

            /// No job is enqueued there: the main thread waits for the end of the program.
            static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
            static var defaultExecutor: any TaskExecutor { shared }
        }

        private let loops = MultiThreadedEventLoopGroup(numberOfThreads: 2)

        /// Has all tasks of this process run here. Must be called before the first task.
        static func install() {
            // Sockets share one thread.
            NIOSingletons.groupLoopCountSuggestion = 1
            _createExecutors(factory: Factory.self)
        }

        var asSchedulingExecutor: (any SchedulingExecutor)? { self }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loops.next().execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }

        /// Clocks of the standard library measure in `Duration`.
        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
        ) {
            let job = UnownedJob(job)
            let time = (delay as? Duration).map { TimeAmount($0) } ?? .zero
            loops.next().scheduleTask(in: time) {
                job.runSynchronously(on: self.asUnownedTaskExecutor())
            }
        }
    }
#endif
