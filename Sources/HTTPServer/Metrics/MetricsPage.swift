// SPDX-License-Identifier: Apache-2.0

/// The text that a scraper reads: Prometheus exposition format 0.0.4.
package struct MetricsPage: Sendable {
    package private(set) var text = ""

    package enum Kind: String, Sendable { case counter, gauge, histogram }

    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    package init() {}

    package mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// - Parameter labels: The text between the braces. Every value comes from a closed set.
    package mutating func sample(
        _ name: String, labels: String = "", _ value: some CustomStringConvertible
    ) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
}
