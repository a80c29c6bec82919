// SPDX-License-Identifier: Apache-2.0
import CLibXML2

/// Copies the tree of libxml2 into values, within bounds.
struct XMLTreeReader {
    private let limits: SAMLXMLDocument.Limits
    private var count = 0

    init(_ limits: SAMLXMLDocument.Limits) { self.limits = limits }

    mutating func element(_ node: xmlNodePtr, path: [Int]) throws(XMLError) -> SAMLXMLElement {
        count += 1
        guard path.count < limits.depth, count <= limits.elements else {
            throw .tooComplex
        }
        let attributes = try attributes(of: node)
        var children: [SAMLXMLElement] = []
        var text: [UInt8] = []
        var next = node.pointee.children
        while let child = next {
            switch child.pointee.type {
            case XML_ELEMENT_NODE:
                children.append(try element(child, path: path + [children.count]))
            case XML_TEXT_NODE: text += Self.bytes(child.pointee.content)
            case XML_COMMENT_NODE where limits.allowsComments: break
            default: throw .markupNotAllowed
            }
            next = child.pointee.next
        }
        return SAMLXMLElement(
            namespace: Self.namespace(node.pointee.ns), name: Self.text(node.pointee.name),
            attributes: attributes, children: children,
            text: String(decoding: text, as: UTF8.self), path: path)
    }

    private func attributes(of node: xmlNodePtr) throws(XMLError) -> [SAMLXMLElement.Attribute] {
        var attributes: [SAMLXMLElement.Attribute] = []
        var next = node.pointee.properties
        while let attribute = next {
            guard attributes.count < limits.attributes else { throw .tooComplex }
            attributes.append(
                SAMLXMLElement.Attribute(
                    namespace: Self.namespace(attribute.pointee.ns),
                    name: Self.text(attribute.pointee.name),
                    value: try value(of: attribute)))
            next = attribute.pointee.next
        }
        return attributes
    }

    private func value(of attribute: xmlAttrPtr) throws(XMLError) -> String {
        var bytes: [UInt8] = []
        var next = attribute.pointee.children
        while let part = next {
            guard part.pointee.type == XML_TEXT_NODE else { throw .markupNotAllowed }
            bytes += Self.bytes(part.pointee.content)
            next = part.pointee.next
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func namespace(_ namespace: UnsafeMutablePointer<xmlNs>?) -> String {
        text(namespace?.pointee.href)
    }

    private static func text(_ start: UnsafePointer<xmlChar>?) -> String {
        String(decoding: bytes(start), as: UTF8.self)
    }

    private static func bytes(_ start: UnsafePointer<xmlChar>?) -> [UInt8] {
        guard let start else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: Int(xmlStrlen(start))))
    }
}
