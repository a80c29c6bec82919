// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PasswordHashing
import Primitives
import Synchronization
import Testing

@Suite("The hashing pool")
struct HashingPoolTests {
    /// Holds every thread of a pool until it is opened.
    private final class Gate: Sendable {
        private let open = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)

        func pass() {
            entered.signal()
            open.wait()
        }

        func release(_ count: Int) { for _ in 0..<count { open.signal() } }
    }

    /// Waits for the gate on a separate thread, never on the cooperative pool.
    private func waitUntilEntered(_ gate: Gate, _ count: Int) async {
        await withCheckedContinuation { waiter in
            DispatchQueue(label: "gate").async {
                for _ in 0..<count { gate.entered.wait() }
                waiter.resume()
            }
        }
    }

    private func waitUntil(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test("What does not fit into the queue is refused at once, and the rest is answered")
    func refusesWhenFull() async throws {
        let pool = HashingPool(threads: 2, capacity: 3, retryAfter: .seconds(7))
        let gate = Gate()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for value in 0..<2 {
                group.addTask {
                    try await pool.run {
                        gate.pass()
                        return .success(value)
                    }
                }
            }
            await waitUntilEntered(gate, 2)
            for value in 2..<5 { group.addTask { try await pool.run { .success(value) } } }
            await waitUntil { pool.load.waiting == 3 }

            await #expect(throws: PasswordHashingError.busy(retryAfter: .seconds(7))) {
                try await pool.run { .success(99) }
            }
            #expect(pool.load.waiting == 3 && pool.load.running == 2 && pool.load.refused == 1)

            gate.release(2)
            var answers: Set<Int> = []
            for try await answer in group { answers.insert(answer) }
            #expect(answers == [0, 1, 2, 3, 4])
        }
        #expect(try await pool.run { .success(5) } == 5)
    }

    @Test("A crowd of 250 that comes at once is served")
    func crowd() async throws {
        let pool = HashingPool(threads: 2)
        let gate = Gate()
        let served = try await withThrowingTaskGroup(of: Int.self) { group in
            for value in 0..<250 {
                group.addTask {
                    try await pool.run {
                        gate.pass()
                        return .success(value)
                    }
                }
            }
            await waitUntil { pool.load.waiting == 248 }
            gate.release(250)
            return try await group.reduce(0) { count, _ in count + 1 }
        }
        #expect(served == 250 && pool.load.refused == 0)
    }

    @Test("Once a computation has ended, a refused caller is told how long the queue takes")
    func truthfulWait() async throws {
        let pool = HashingPool(threads: 1, capacity: 0, retryAfter: .minutes(15))
        _ = try await pool.run { .success(1) }
        await waitUntil { pool.load.running == 0 }
        let gate = Gate()
        async let running: Int = pool.run {
            gate.pass()
            return .success(2)
        }
        await waitUntilEntered(gate, 1)
        // One computation of a moment is under way.
        await #expect(throws: PasswordHashingError.busy(retryAfter: .seconds(1))) {
            try await pool.run { .success(3) }
        }
        gate.release(1)
        #expect(try await running == 2)
    }

    @Test(
        "A refused caller is told the usual time, times those before them, shared by the threads",
        arguments: [(1, 3, 17), (2, 6, 17), (1, 0, 5)])
    func expectedWait(_ threads: Int, _ waiting: Int, _ seconds: Int64) async throws {
        let start = ContinuousClock.now
        let elapsed = Mutex(Duration.zero)
        let pool = HashingPool(
            threads: threads, capacity: waiting, time: { start + elapsed.withLock { $0 } })
        let one: Int = try await pool.run {
            elapsed.withLock { $0 += .seconds(4) }
            return .success(1)
        }
        await waitUntil { pool.load.running == 0 }
        let gate = Gate()
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for value in 0..<(threads + waiting) {
                group.addTask {
                    try await pool.run {
                        gate.pass()
                        return .success(value)
                    }
                }
            }
            await waitUntilEntered(gate, threads)
            await waitUntil { pool.load.waiting == waiting }
            await #expect(throws: PasswordHashingError.busy(retryAfter: .seconds(seconds))) {
                try await pool.run { .success(99) }
            }
            gate.release(threads + waiting)
            return try await group.reduce(one) { $0 + $1 }
        }
        #expect(sum == 1 + (0..<(threads + waiting)).reduce(0, +))
    }

    @Test("The number of concurrent computations is at most the number of threads")
    func bounded() async throws {
        let pool = HashingPool(threads: 2, capacity: 100)
        let most = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask { try await pool.run { .success(pool.load.running) } }
            }
            return try await group.reduce(0) { max($0, $1) }
        }
        #expect((1...2).contains(most))
    }

    @Test("A stopped pool refuses new work and ends all waits")
    func stops() async throws {
        let pool = HashingPool(threads: 1, capacity: 8)
        let gate = Gate()
        async let running: Int = pool.run {
            gate.pass()
            return .success(1)
        }
        await waitUntilEntered(gate, 1)
        async let waiting: Int = pool.run { .success(2) }
        await waitUntil { pool.load.waiting == 1 }
        pool.stop()
        gate.release(1)
        #expect(try await running == 1)
        do {
            _ = try await waiting
            Issue.record("the waiting job ran")
        } catch { #expect(error as? PasswordHashingError == .stopped) }
        await #expect(throws: PasswordHashingError.stopped) { try await pool.run { .success(3) } }
    }

    @Test("A failure of the work is handed on")
    func failure() async {
        let pool = HashingPool(threads: 1)
        await #expect(throws: PasswordHashingError.engine(status: -22)) {
            try await pool.run { () -> Result<Int, PasswordHashingError> in
                .failure(.engine(status: -22))
            }
        }
    }

    @Test("A thread that has nothing to do gives its memory back once, and works on afterwards")
    func idle() async throws {
        let (rests, rest) = AsyncStream.makeStream(of: Void.self)
        let pool = HashingPool(threads: 1, whenIdle: { rest.yield() })
        var iterator = rests.makeAsyncIterator()
        _ = await iterator.next()
        for number in 1...2 {
            let answer: Int = try await pool.run { .success(number) }
            #expect(answer == number)
            _ = await iterator.next()
        }
        #expect(pool.load.waiting == 0 && pool.load.running == 0)
        HashingPool.releaseUnusedMemory()
        pool.stop()
    }

    @Test(
        "Every core hashes, and there is one at least", arguments: [(1, 1), (2, 2), (8, 8), (0, 1)])
    func threadCount(cores: Int, threads: Int) {
        #expect(HashingPool.threads(forCores: cores) == threads)
    }
}
