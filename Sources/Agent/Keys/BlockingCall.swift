// SPDX-License-Identifier: Apache-2.0
import Threads

/// Calls that wait for a disk or a TPM, on threads of their own: the cooperative pool never waits.
enum BlockingCall {
    static func run<Value: Sendable>(
        _ call: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { waiter in
            do {
                try BackgroundThread.start(niceness: 0) {
                    waiter.resume(with: Result(catching: call))
                }
            } catch {
                waiter.resume(throwing: error)
            }
        }
    }
}
