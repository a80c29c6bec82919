// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation
import Primitives
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct ThreadWaitTests {
    private func socketPair() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        try #require(
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    @Test("A wait ends when its file can be read, and says so when the other side has gone")
    func file() async throws {
        let (mine, theirs) = try socketPair()
        defer { close(mine) }
        let wait = ThreadWait(on: try AuthenticatorThread())
        async let outcome = wait.wait(for: (mine, Int16(POLLIN)), milliseconds: nil)
        #expect(send(theirs, "x", 1, 0) == 1)
        #expect(await outcome == .ready(Int16(POLLIN)))
        close(theirs)
        guard case .ready(let events) = await wait.wait(for: (mine, 0), milliseconds: nil) else {
            return _ = Issue.record("not ready")
        }
        #expect(Int32(events) & POLLHUP != 0)
    }

    @Test("A wait ends at its moment, those for other files go on")
    func moment() async throws {
        let (mine, theirs) = try socketPair()
        defer { for file in [mine, theirs] { close(file) } }
        let thread = try AuthenticatorThread()
        let patient = ThreadWait(on: thread)
        async let other = patient.wait(for: (mine, Int16(POLLIN)), milliseconds: .max)
        #expect(await ThreadWait(on: thread).wait(milliseconds: 5) == .timedOut)
        #expect(await ThreadWait(on: thread).wait(milliseconds: -5) == .timedOut)
        patient.wake()
        #expect(await other == .woken)
    }

    @Test("To be woken before one waits ends the next wait, and no other")
    func early() async throws {
        let wait = ThreadWait(on: try AuthenticatorThread())
        wait.wake()
        wait.wake()
        #expect(await wait.wait(milliseconds: nil) == .woken)
        #expect(await wait.wait(milliseconds: 5) == .timedOut)
    }

    @Test("A delay ends at once with its task, however long it is")
    func cancelled() async {
        let task = Task { await SystemDelay().wait(.seconds(Int64.max)) }
        task.cancel()
        await task.value
    }

    @Test("The clients of a process share a thread for as long as one of them needs it")
    func shared() throws {
        let first = try AuthenticatorThread.ofClients()
        #expect(try AuthenticatorThread.ofClients() === first)
    }

    @Test("A task of the thread's own goes on where it calls and returns, without a step")
    func ownTask() async throws {
        let thread = try AuthenticatorThread()
        let steps = await withTaskExecutorPreference(thread.tasks) {
            let before = thread.steps
            for _ in 0..<10 {
                await withTaskCancellationHandler {
                    await Self.nothing()
                } onCancel: {
                }
            }
            return thread.steps - before
        }
        #expect(steps == 0)
    }

    private static func nothing() async {}

    @Test("What waits does not keep others from the thread")
    func concurrent() async throws {
        let thread = try AuthenticatorThread()
        let waits = (0..<100).map { _ in ThreadWait(on: thread) }
        let woken = await withTaskGroup(of: ThreadWait.Outcome.self) { group in
            for wait in waits {
                group.addTask(executorPreference: thread.tasks) {
                    await wait.wait(milliseconds: nil)
                }
            }
            for wait in waits.reversed() { wait.wake() }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(woken == [ThreadWait.Outcome](repeating: .woken, count: 100))
    }
}
