// SPDX-License-Identifier: Apache-2.0

/// An ``AuthenticatorThread`` for tasks that belong to no actor.
package final class AuthenticatorTasks: TaskExecutor {
    private let loop: AuthenticatorLoop

    init(_ loop: AuthenticatorLoop) { self.loop = loop }

    package func enqueue(_ job: consuming ExecutorJob) {
        loop.run(AuthenticatorLoop.Entry(job: UnownedJob(job), place: .tasks(self)))
    }
}
