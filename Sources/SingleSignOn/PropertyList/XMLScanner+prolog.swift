// SPDX-License-Identifier: Apache-2.0

/// The part before the root element.
extension XMLScanner {
    /// `<?xml version="1.0" encoding="UTF-8"?>`, when there is one.
    ///
    /// - Parameter encoding: in which the file is written; the declaration must not name another.
    mutating func declaration(in encoding: XMLText.Encoding) throws(PropertyListError) {
        let start = index
        guard skip("<?xml") else {
            guard case .utf16 = encoding, !hasMark else { return }
            throw PropertyListError(.encoding, at: start, "UTF-16 without a mark or a declaration")
        }
        let text = try text(before: "?>")
        guard text.replacing("'", with: "\"").contains("version=\"1.0\"") else {
            throw PropertyListError(.syntax, at: start, "the version of XML is not 1.0")
        }
        guard let name = XMLText.encodingName(in: text) else { return }
        guard encoding.isNamed(name) else {
            throw PropertyListError(
                .encoding, at: start,
                "the declared encoding \(name) is not that of the file, or not UTF-8, UTF-16 or ISO-8859-1"
            )
        }
    }

    /// Skips Apple's document type, if present; it is never fetched. Others, and internal
    /// declarations, are refused, because entities could expand without limit.
    mutating func documentType() throws(PropertyListError) {
        let start = index
        guard skip("<!DOCTYPE") else { return }
        let text = try text(before: ">")
        guard !text.utf8.contains(UInt8(ascii: "[")) else {
            throw PropertyListError(
                .documentType, at: start, "the document type has declarations")
        }
        let words = text.split(maxSplits: 2) { $0.isWhitespace }
        guard words.first == "plist" else {
            throw PropertyListError(.documentType, at: start, "the document type is not plist")
        }
        guard words.count == 1 || Self.isApple(words[1], words.last ?? "") else {
            throw PropertyListError(.documentType, at: start, "not Apple's document type")
        }
    }

    /// `PUBLIC "name" "address"` or `SYSTEM "address"` (XML 1.0 section 4.2.2).
    private static func isApple(_ keyword: Substring, _ rest: Substring) -> Bool {
        let literals = rest.replacing("'", with: "\"").split(
            separator: "\"", omittingEmptySubsequences: true
        ).filter { !$0.allSatisfy(\.isWhitespace) }
        let addresses = ["/PropertyList-1.0.dtd", "/PropertyList.dtd"]
        let hasAddress =
            literals.last.map { last in addresses.contains { last.hasSuffix($0) } } ?? false
        let names = ["-//Apple//DTD PLIST 1.0//EN", "-//Apple Computer//DTD PLIST 1.0//EN"]
        switch keyword {
        case "PUBLIC":
            return literals.count <= 2
                && (hasAddress || names.contains { $0 == literals.first ?? "" })
        case "SYSTEM": return literals.count == 1 && hasAddress
        default: return false
        }
    }
}
