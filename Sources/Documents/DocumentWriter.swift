// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Yams

/// Writes YAML that ``DocumentReader`` reads back to the same value.
package enum DocumentWriter {
    package static func yaml(_ value: JSONValue) throws -> String {
        try serialize(node: node(value), width: -1, allowUnicode: true)
    }

    private static func node(_ value: JSONValue) -> Node {
        switch value {
        case .null: scalar("null", .plain)
        case .bool(let value): scalar(value ? "true" : "false", .plain)
        case .integer(let value): scalar(String(value), .plain)
        case .number(let value): scalar(String(value), .plain)
        case .string(let text): scalar(text, isAmbiguous(text) ? .doubleQuoted : .any)
        case .array(let values):
            .sequence(Node.Sequence(values.map(node), .implicit, isShort(values) ? .flow : .block))
        case .object(let object):
            .mapping(
                Node.Mapping(
                    object.members.map { (scalar($0.name, .any), node($0.value)) }, .implicit,
                    object.isEmpty ? .flow : .block))
        }
    }

    private static func scalar(_ text: String, _ style: Node.Scalar.Style) -> Node {
        .scalar(Node.Scalar(text, .implicit, style))
    }

    /// Lists of single values go on one line.
    private static func isShort(_ values: [JSONValue]) -> Bool {
        values.allSatisfy { $0.object == nil && $0.array == nil }
    }

    /// Would some reader, ours or one of YAML 1.1, take it for something else than text?
    private static func isAmbiguous(_ text: String) -> Bool {
        if case .text = DocumentReader.plain(text) {} else { return true }
        let words = ["yes", "no", "on", "off", "y", "n"]
        return words.contains(text.lowercased()) || text.first?.isNumber == true
    }
}
