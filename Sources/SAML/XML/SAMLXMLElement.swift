// SPDX-License-Identifier: Apache-2.0

/// An element with all that is in it, as a value.
package struct SAMLXMLElement: Sendable, Equatable {
    package struct Attribute: Sendable, Equatable {
        /// Empty for the usual attribute without a prefix.
        package let namespace: String
        package let name: String
        package let value: String
    }

    /// Empty when it is in none.
    package let namespace: String
    package let name: String
    package let attributes: [Attribute]
    package let children: [SAMLXMLElement]
    /// All its direct text, concatenated.
    package let text: String
    /// Which child of which child of the root it is.
    let path: [Int]

    package func isNamed(_ name: String, in namespace: String) -> Bool {
        self.name == name && self.namespace == namespace
    }

    package func children(_ name: String, in namespace: String) -> [SAMLXMLElement] {
        children.filter { $0.isNamed(name, in: namespace) }
    }

    /// The child of that name; `nil` unless there is exactly one.
    package func only(_ name: String, in namespace: String) -> SAMLXMLElement? {
        let found = children(name, in: namespace)
        return found.count == 1 ? found.first : nil
    }

    /// An attribute without a namespace.
    package subscript(attribute name: String) -> String? {
        attributes.first { $0.name == name && $0.namespace.isEmpty }?.value
    }

    /// The text without the white space around it.
    package var trimmedText: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        let end = text.lastIndex { !isSpace($0) }
        return end.map { String(text[...$0].drop(while: isSpace)) } ?? ""
    }

    /// This element and all below it.
    package var all: [SAMLXMLElement] { [self] + children.flatMap(\.all) }
}
