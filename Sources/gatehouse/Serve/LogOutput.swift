// SPDX-License-Identifier: Apache-2.0
import Logging
import Platform

/// Makes the loggers of the process.
struct LogOutput: Sendable {
    let level: LineLogHandler.Level
    private let format: LineLogHandler.Format

    init(_ configuration: ServeConfiguration) {
        level = LineLogHandler.Level(Self.level(configuration))
        switch configuration.logFormat {
        case .json: format = .json
        case .text: format = .text(colour: StandardError.isTerminal)
        case .auto:
            format =
                StandardError.isTerminal
                ? .text(colour: ProcessEnvironment["NO_COLOR"] == nil) : .json
        }
    }

    static func level(_ configuration: ServeConfiguration) -> Logger.Level {
        Logger.Level(rawValue: configuration.logLevel) ?? .info
    }

    /// Whether a person reads the log in a terminal.
    static var isRead: Bool { StandardError.isTerminal }

    func logger(_ label: String) -> Logger {
        Logger(label: label) { label in
            LineLogHandler(label: label, format: format, level: level)
        }
    }
}
