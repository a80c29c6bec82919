// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Logging
package import Primitives
import Synchronization

/// Log lines on standard error: JSON for programs, aligned words for people.
package struct LineLogHandler: LogHandler {
    package enum Format: Sendable { case json, text(colour: Bool) }

    /// The level of the whole process, which SIGHUP may change.
    package final class Level: Sendable {
        private let level: Mutex<Logger.Level>

        package init(_ level: Logger.Level) { self.level = Mutex(level) }

        package var now: Logger.Level {
            get { level.withLock { $0 } }
            set { level.withLock { $0 = newValue } }
        }
    }

    package var metadata: Logger.Metadata = [:]
    private let label: String
    private let format: Format
    private let level: Level
    private let clock: any WallClock
    private let write: @Sendable (String) -> Void

    package init(
        label: String, format: Format, level: Level, clock: any WallClock = SystemWallClock(),
        write: @escaping @Sendable (String) -> Void = { StandardError.write($0) }
    ) {
        self.label = label
        self.format = format
        self.level = level
        self.clock = clock
        self.write = write
        ownLevel = nil
    }

    /// A logger may be quieter than the process, never louder.
    private var ownLevel: Logger.Level?

    package var logLevel: Logger.Level {
        get { max(ownLevel ?? .trace, level.now) }
        set { ownLevel = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        switch format {
        case .json: write(json(event.level, event.message, all))
        case .text(let colour): write(text(event.level, event.message, all, colour: colour))
        }
    }

    private func json(
        _ level: Logger.Level, _ message: Logger.Message,
        _ metadata: [(String, Logger.MetadataValue)]
    ) -> String {
        var line = JSONWriter()
        line.member("time", clock.now.rfc3339)
        line.member("level", level.rawValue)
        line.member("message", message.description)
        for (name, value) in metadata { line.member(named: name, .string(value.description)) }
        return String(decoding: line.finish(), as: UTF8.self) + "\n"
    }

    private func text(
        _ level: Logger.Level, _ message: Logger.Message,
        _ metadata: [(String, Logger.MetadataValue)], colour: Bool
    ) -> String {
        let time = clock.now.rfc3339.dropFirst(11).prefix(8)
        let facts = metadata.map { " \($0)=\($1)" }.joined()
        let name = level == .info ? "" : "\(level.rawValue): "
        guard colour else { return "\(time) \(name)\(message)\(facts)\n" }
        let paint = level >= .error ? "\u{1B}[31m" : level >= .warning ? "\u{1B}[33m" : ""
        return "\u{1B}[2m\(time)\u{1B}[0m \(paint)\(name)\(message)\u{1B}[0m\u{1B}[2m\(facts)"
            + "\u{1B}[0m\n"
    }
}
