// SPDX-License-Identifier: Apache-2.0
import Yams

/// A reader of YAML 1.2 (core schema), which includes JSON, within limits.
///
/// Plain `yes`, `0644` or `12:30` are text as in YAML 1.2, not Booleans, octal numbers or base 60.
/// Names must be unique. Aliases are followed, and their expanded size counts.
package enum DocumentReader {
    /// Longest document, in bytes.
    package static let largest = 16 * 1024 * 1024
    private static let maximumNodes = 2_000_000
    private static let deepest = 32

    package static func read(_ bytes: [UInt8]) throws(DocumentError) -> DocumentNode {
        guard bytes.count <= largest else {
            throw DocumentError(place: .start, message: "is larger than \(largest) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DocumentError(place: .start, message: "is not UTF-8")
        }
        guard let root = try compose(text) else {
            return DocumentNode(value: .null, place: .start)
        }
        var budget = maximumNodes
        return try node(from: root, depth: deepest, budget: &budget)
    }

    private static func compose(_ text: String) throws(DocumentError) -> Node? {
        do {
            let parser = try Parser(yaml: text)
            let root = try parser.singleRoot()
            return root
        } catch let error as YamlError {
            throw DocumentError(error)
        } catch {
            throw DocumentError(place: .start, message: "cannot be read: \(error)")
        }
    }

    private static func node(
        from node: Node, depth: Int, budget: inout Int
    ) throws(DocumentError) -> DocumentNode {
        let place = DocumentNode.Position(node.mark)
        budget -= 1
        guard budget > 0 else { throw DocumentError(place: place, message: "unfolds to too much") }
        guard depth > 0 else { throw DocumentError(place: place, message: "is nested too deeply") }
        switch node {
        case .scalar(let scalar):
            return DocumentNode(value: value(of: scalar), place: place)
        case .sequence(let sequence):
            var nodes: [DocumentNode] = []
            for element in sequence {
                nodes.append(try self.node(from: element, depth: depth - 1, budget: &budget))
            }
            return DocumentNode(value: .list(nodes), place: place)
        case .mapping(let mapping):
            let members = try members(of: mapping, depth: depth - 1, budget: &budget)
            return DocumentNode(value: .mapping(members), place: place)
        case .alias:
            throw DocumentError(place: place, message: "is an alias that leads nowhere")
        }
    }

    private static func members(
        of mapping: Node.Mapping, depth: Int, budget: inout Int
    ) throws(DocumentError) -> [DocumentNode.Member] {
        var members: [DocumentNode.Member] = []
        for (key, value) in mapping {
            let place = DocumentNode.Position(key.mark)
            guard let name = key.scalar?.string else {
                throw DocumentError(place: place, message: "a name must be text")
            }
            members.append(
                DocumentNode.Member(
                    name: name, place: place,
                    node: try node(from: value, depth: depth, budget: &budget)))
        }
        return members
    }

    /// Returns the value of a scalar: only plain scalars can be other than text.
    static func value(of scalar: Node.Scalar) -> DocumentNode.Value {
        guard scalar.style == .plain || scalar.style == .any else { return .text(scalar.string) }
        return plain(scalar.string)
    }

    /// YAML 1.2 section 10.3.2.
    static func plain(_ text: String) -> DocumentNode.Value {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: break
        }
        let digits = text.first.map { "+-".contains($0) } == true ? text.dropFirst() : text[...]
        let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let first = digits.utf8.first, isDigit(first), digits.utf8.count <= 40 else {
            return .text(text)
        }
        if digits.utf8.allSatisfy(isDigit) {
            // More than one leading zero digit is a phone number or an octal of YAML 1.1: text.
            if digits.utf8.count > 1, first == UInt8(ascii: "0") { return .text(text) }
            return Int64(text).map(DocumentNode.Value.integer) ?? .text(text)
        }
        let isNumber = digits.utf8.allSatisfy { isDigit($0) || "+-.eE".utf8.contains($0) }
        guard isNumber, let value = Double(text), value.isFinite else { return .text(text) }
        return .number(value)
    }
}

extension DocumentNode.Position {
    package static let start = DocumentNode.Position(line: 1, column: 1)

    fileprivate init(_ mark: Mark?) {
        self.init(line: mark?.line ?? 1, column: mark?.column ?? 1)
    }
}

extension DocumentError {
    fileprivate init(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(place: DocumentNode.Position(mark), message: problem)
        case .duplicatedKeysInMapping(let names, let context):
            let list = names.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
            self.init(
                place: DocumentNode.Position(context.mark),
                message: "\(list) is here more than once")
        case .reader(let problem, _, _, _):
            self.init(place: .start, message: problem)
        default:
            self.init(place: .start, message: "is not YAML")
        }
    }
}
