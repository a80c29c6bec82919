// SPDX-License-Identifier: Apache-2.0
import Mustache

/// Templates, parsed once. Mustache escapes every value that it writes.
package struct PageRenderer: Sendable {
    private let library: MustacheLibrary

    /// - Parameter templates: By name.
    init(_ templates: [String: String]) throws {
        var library = MustacheLibrary()
        for (name, text) in templates { try library.register(text, named: name) }
        self.library = library
    }

    /// The page, or `nil` when there is no such template.
    package func render(_ template: String, _ values: [String: Any]) -> String? {
        library.render(values, withTemplate: template)
    }
}
