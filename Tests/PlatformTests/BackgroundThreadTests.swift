// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import Testing

@Suite struct BackgroundThreadTests {
    @Test("A closure runs on a thread of its own")
    func runs() async throws {
        let own = pthread_self()
        let other = try await withCheckedThrowingContinuation { waiter in
            do {
                try BackgroundThread.start(niceness: 0) {
                    waiter.resume(returning: pthread_self())
                }
            } catch { waiter.resume(throwing: error) }
        }
        #expect(other != own)
    }

    @Test("A thread that the system refuses is an error, and its closure goes unrun")
    func refused() {
        final class Witness: Sendable {}
        var witness: Witness? = Witness()
        weak let gone = witness
        // No machine has so much memory.
        #expect(throws: PlatformError.self) {
            try BackgroundThread.start(niceness: 0, stackSize: 1 << 60) { [witness] in
                _ = witness
            }
        }
        witness = nil
        #expect(gone == nil)
    }
}
