// SPDX-License-Identifier: Apache-2.0

/// Calls that wait for a disk, a TPM or a token. Each runs on its own thread, and no thread of the
/// cooperative pool waits.
package enum BlockingCall {
    package static func run<Value: Sendable>(
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
