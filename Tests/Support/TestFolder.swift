// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder of a test's own, removed with it.
package final class TestFolder: Sendable {
    private let root: String

    package init() {
        root = NSTemporaryDirectory() + "gatehouse-test-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    package func path(_ name: String) -> String { "\(root)/\(name)" }

    /// Names of the files in it.
    package var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).sorted()
    }
}
