// SPDX-License-Identifier: Apache-2.0
package import Logging
import Synchronization

/// Keeps what a provider logs, for a test that reads it.
package final class CapturedLog: Sendable {
    /// One entry.
    package struct Line: Sendable {
        package let message: String
        package let metadata: [String: String]
    }

    private let kept = Mutex<[Line]>([])

    package init() {}

    package var lines: [Line] { kept.withLock { $0 } }

    package var logger: Logger {
        Logger(label: "test") { [self] _ in Handler(log: self) }
    }

    private func keep(_ line: Line) { kept.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let log: CapturedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.keep(
                Line(
                    message: event.message.description,
                    metadata: (event.metadata ?? [:]).mapValues { "\($0)" }))
        }
    }
}
