// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The authenticators of several sources together.
package struct CombinedAuthenticators: AuthenticatorSource {
    private let sources: [any AuthenticatorSource]

    package init(_ sources: [any AuthenticatorSource]) { self.sources = sources }

    /// The latest list of each source.
    private final class Latest: Sendable {
        private let devices = Mutex<[Int: [any AuthenticatorDevice]]>([:])
        private let sources: Int
        private let output: AsyncStream<[any AuthenticatorDevice]>.Continuation

        init(
            _ sources: Int, _ output: AsyncStream<[any AuthenticatorDevice]>.Continuation
        ) {
            self.sources = sources
            self.output = output
        }

        /// Stores the list of one source. Publishes no list before every source has sent one.
        func update(_ source: Int, _ list: [any AuthenticatorDevice]) {
            devices.withLock { devices in
                devices[source] = list
                guard devices.count == sources else { return }
                output.yield(devices.sorted { $0.key < $1.key }.flatMap(\.value))
            }
        }
    }

    package func snapshots() -> AsyncStream<[any AuthenticatorDevice]> {
        AsyncStream { continuation in
            let latest = Latest(sources.count, continuation)
            let task = Task { [sources] in
                await withTaskGroup(of: Void.self) { group in
                    for (index, source) in sources.enumerated() {
                        group.addTask {
                            for await list in source.snapshots() { latest.update(index, list) }
                        }
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
