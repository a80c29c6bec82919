// SPDX-License-Identifier: Apache-2.0
package import Logging
import Synchronization

/// A log that a test reads: each line is the message and its metadata.
package final class LogLines: Sendable {
    private let written = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { written.withLock(\.self) }

    package var logger: Logger {
        Logger(label: "test") { _ in Handler { [self] line in written.withLock { $0.append(line) } }
        }
    }

    private struct Handler: LogHandler {
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        let write: @Sendable (String) -> Void

        init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            write(event.message.description + all.map { " \($0.key)=\($0.value)" }.joined())
        }
    }
}
