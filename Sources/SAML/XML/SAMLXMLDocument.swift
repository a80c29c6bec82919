// SPDX-License-Identifier: Apache-2.0
import CLibXML2

/// A small XML document, parsed by libxml2: no document type, so no entities and no external
/// content.
///
/// All values are read as ``SAMLXMLElement``; the tree of libxml2 is used for canonicalization only.
/// Not `Sendable`: it is created and released in one scope.
final class SAMLXMLDocument {
    struct Limits: Sendable {
        var bytes: Int
        var elements: Int
        /// Whether comments are passed over. Not in anything that is signed.
        var allowsComments = false
        let depth = 32
        let attributes = 64

        /// An assertion with several dozen groups has 20,000 bytes.
        static let assertion = Limits(bytes: 65_536, elements: 2000)
        /// Descriptions of services, which are not signed.
        static let description = Limits(bytes: 524_288, elements: 20_000, allowsComments: true)
    }

    let root: SAMLXMLElement
    private let tree: xmlDocPtr

    /// Must be called once before threads use the parser.
    private static let initialized: Void = xmlInitParser()

    init(_ bytes: [UInt8], limits: Limits = .assertion) throws(XMLError) {
        guard bytes.count <= limits.bytes else { throw .tooLarge }
        try Self.requirePlainMarkup(bytes, allowsComments: limits.allowsComments)
        let tree = try Self.parse(bytes)
        do throws(XMLError) {
            guard let top = xmlDocGetRootElement(tree) else { throw .notWellFormed }
            var reader = XMLTreeReader(limits)
            root = try reader.element(top, path: [])
        } catch {
            xmlFreeDoc(tree)
            throw error
        }
        self.tree = tree
    }

    deinit { xmlFreeDoc(tree) }

    /// In UTF-8, `<!` and `<?` always begin markup, because `<` is not allowed in text and
    /// attributes. Such markup is refused before parsing, except the declaration.
    private static func requirePlainMarkup(
        _ bytes: [UInt8], allowsComments: Bool
    ) throws(XMLError) {
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
            throw .notUTF8
        }
        var rest = bytes[...]
        if rest.starts(with: "<?xml ".utf8) {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { throw .notWellFormed }
            let declaration = String(decoding: rest[...end], as: UTF8.self).lowercased()
            guard !declaration.contains("encoding") || declaration.contains("utf-8") else {
                throw .notUTF8
            }
            rest = rest[(end + 1)...]
        }
        for place in rest.indices.dropLast() where rest[place] == UInt8(ascii: "<") {
            guard rest[place + 1] != UInt8(ascii: "?") else { throw .markupNotAllowed }
            guard
                rest[place + 1] != UInt8(ascii: "!")
                    || (allowsComments && rest[place...].starts(with: "<!--".utf8))
            else { throw .markupNotAllowed }
        }
    }

    private static func parse(_ bytes: [UInt8]) throws(XMLError) -> xmlDocPtr {
        _ = initialized
        let options =
            XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
            | XML_PARSE_NOWARNING.rawValue
        guard let context = xmlNewParserCtxt() else { throw .notWellFormed }
        defer { xmlFreeParserCtxt(context) }
        let read = bytes.withUnsafeBytes { bytes in
            xmlCtxtReadMemory(
                context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(clamping: bytes.count), nil, "UTF-8", Int32(options))
        }
        guard let tree = read else { throw .notWellFormed }
        // libxml2 continues after an undeclared prefix, which is an error.
        guard context.pointee.errNo == 0, context.pointee.wellFormed == 1 else {
            xmlFreeDoc(tree)
            throw .notWellFormed
        }
        return tree
    }

    // MARK: Canonicalization

    /// Exclusive XML canonicalization 1.0 without comments of an element and all in it.
    ///
    /// - Parameters:
    ///   - excluded: a descendant that is left out, as the enveloped-signature transform does.
    ///   - prefixes: of the `InclusiveNamespaces`.
    func canonical(
        _ element: SAMLXMLElement, leavingOut excluded: SAMLXMLElement? = nil,
        prefixes: [String] = []
    ) throws(XMLError) -> [UInt8] {
        guard let buffer = xmlAllocOutputBuffer(nil) else { throw .canonicalizationFailed }
        defer { xmlOutputBufferClose(buffer) }
        let texts = prefixes.map { CText($0) }
        var names = texts.map(\.start) + [nil]
        var visible = Visible(
            root: node(at: element.path), excluded: excluded.flatMap { node(at: $0.path) })
        let mode = Int32(XML_C14N_EXCLUSIVE_1_0.rawValue)
        let length = withExtendedLifetime(texts) {
            withUnsafeMutablePointer(to: &visible) { visible in
                names.withUnsafeMutableBufferPointer { names in
                    xmlC14NExecute(
                        tree, Visible.contains, visible, mode, names.baseAddress, 0, buffer)
                }
            }
        }
        guard length >= 0, let content = xmlOutputBufferGetContent(buffer) else {
            throw .canonicalizationFailed
        }
        return Array(
            UnsafeBufferPointer(start: content, count: Int(xmlOutputBufferGetSize(buffer))))
    }

    private func node(at path: [Int]) -> xmlNodePtr? {
        var node = xmlDocGetRootElement(tree)
        for index in path {
            var child = node.flatMap { xmlFirstElementChild($0) }
            for _ in 0..<index { child = child.flatMap { xmlNextElementSibling($0) } }
            node = child
        }
        return node
    }
}

/// A C string with the lifetime of this object.
private final class CText {
    let start: UnsafeMutablePointer<xmlChar>?
    private let memory: UnsafeMutableBufferPointer<xmlChar>

    init(_ text: String) {
        memory = .allocate(capacity: text.utf8.count + 1)
        _ = memory.initialize(from: Array(text.utf8) + [0])
        start = memory.baseAddress
    }

    deinit { memory.deallocate() }
}

/// Which nodes are canonicalized.
private struct Visible {
    let root: xmlNodePtr?
    let excluded: xmlNodePtr?

    /// `xmlC14NIsVisibleCallback`. A namespace is not a separate node here: it is visible with its
    /// element.
    static let contains: xmlC14NIsVisibleCallback = { context, node, parent in
        guard let visible = context?.assumingMemoryBound(to: Visible.self).pointee else { return 0 }
        var place = node.flatMap { $0.pointee.type == XML_NAMESPACE_DECL ? parent : $0 } ?? parent
        while let node = place {
            if node == visible.excluded { return 0 }
            if node == visible.root { return 1 }
            place = node.pointee.parent
        }
        return 0
    }
}
