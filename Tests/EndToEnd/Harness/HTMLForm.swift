// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A form of one of our own pages, as much of it as a script-less test needs.
struct HTMLForm {
    var action: String?
    /// Fields with the values the page gave them.
    var preset: [(String, String)] = []
    private var names: Set<String> = []

    func has(_ name: String) -> Bool { names.contains(name) }

    static func forms(in page: String) -> [HTMLForm] {
        page.components(separatedBy: "<form").dropFirst().map { part in
            let body = part.components(separatedBy: "</form")[0]
            var form = HTMLForm(action: attribute("action", of: body.prefix { $0 != ">" }))
            for input in body.components(separatedBy: "<input").dropFirst() {
                form.add(input.prefix { $0 != ">" })
            }
            for button in body.components(separatedBy: "<button").dropFirst() {
                if let name = attribute("name", of: button.prefix { $0 != ">" }) {
                    form.names.insert(name)
                }
            }
            return form
        }
    }

    private mutating func add(_ tag: Substring) {
        guard let name = Self.attribute("name", of: tag) else { return }
        names.insert(name)
        if Self.attribute("type", of: tag) == "hidden" {
            preset.append((name, Self.attribute("value", of: tag) ?? ""))
        }
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        guard let start = tag.range(of: " \(name)=\"") else { return nil }
        let value = tag[start.upperBound...].prefix { $0 != "\"" }
        return value.replacingOccurrences(of: "&quot;", with: "\"")
            .replacingOccurrences(of: "&#39;", with: "'")
            .replacingOccurrences(of: "&lt;", with: "<")
            .replacingOccurrences(of: "&gt;", with: ">")
            .replacingOccurrences(of: "&amp;", with: "&")
    }
}
