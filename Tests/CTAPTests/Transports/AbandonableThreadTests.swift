// SPDX-License-Identifier: Apache-2.0
import CTAP
import Dispatch
import Synchronization
import Testing

/// Calls that hang: how a card service is left that does not answer.
@Suite struct AbandonableThreadTests {
    @Test("Calls are made in order, on a thread that is not the caller's")
    func order() throws {
        let thread = try AbandonableThread()
        let seen = Mutex<[Int]>([])
        for number in 0..<3 {
            let result = thread.run(within: 10_000) {
                seen.withLock { $0.append(number) }
                return number * 2
            }
            #expect(result == number * 2)
        }
        thread.end { seen.withLock { $0.append(99) } }
        #expect(seen.withLock { $0 } == [0, 1, 2, 99])
    }

    @Test("Attack 36: a call that never returns is left at its limit, and nothing follows it")
    func hanging() throws {
        let thread = try AbandonableThread()
        let gate = DispatchSemaphore(value: 0)
        let cleanedUp = DispatchSemaphore(value: 0)
        #expect(thread.run(within: 20) { gate.wait() } == nil)
        #expect(thread.run(within: 10_000) { 1 } == nil)
        // Ends at once: the call still hangs.
        thread.end { cleanedUp.signal() }
        gate.signal()
        // What was held is let go of when the call comes back after all.
        #expect(cleanedUp.wait(timeout: .now() + 10) == .success)
    }

    @Test("After its end a thread accepts no job, and ends once")
    func ended() throws {
        let thread = try AbandonableThread()
        let count = Mutex(0)
        thread.end { count.withLock { $0 += 1 } }
        thread.end { count.withLock { $0 += 1 } }
        #expect(thread.run(within: 10_000) { 1 } == nil)
        #expect(count.withLock { $0 } == 1)
    }
}
