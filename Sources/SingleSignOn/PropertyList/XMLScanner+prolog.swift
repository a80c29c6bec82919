// SPDX-License-Identifier: Apache-2.0

/// What stands before the root element.
extension XMLScanner {
    /// `<?xml version="1.0" encoding="UTF-8"?>`, when there is one.
    mutating func declaration() throws(PropertyListError) {
        let start = index
        guard skip("<?xml") else { return }
        let text = try text(before: "?>").lowercased().replacing("'", with: "\"")
        guard text.contains("version=\"1.0\"") else {
            throw PropertyListError(.syntax, at: start, "the version of XML is not 1.0")
        }
        guard let encoding = text.firstRange(of: "encoding=\"") else { return }
        let name = text[encoding.upperBound...].prefix { $0 != "\"" }
        guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(name) else {
            throw PropertyListError(
                .encoding, at: start, "the encoding is \(name); only UTF-8 is read")
        }
    }

    /// Apple's document type, when there is one. Others, and declarations of one's own between
    /// brackets, are refused: entities could multiply there without end.
    mutating func documentType() throws(PropertyListError) {
        let start = index
        guard skip("<!DOCTYPE") else { return }
        let text = try text(before: ">")
        guard !text.utf8.contains(UInt8(ascii: "[")) else {
            throw PropertyListError(
                .documentType, at: start, "the document type declares things of its own")
        }
        let words = text.split { $0.isWhitespace }
        guard words.first == "plist" else {
            throw PropertyListError(.documentType, at: start, "the document type is not plist")
        }
        let knownNames = ["-//Apple//DTD PLIST 1.0//EN", "-//Apple Computer//DTD PLIST 1.0//EN"]
        let isKnown =
            knownNames.contains { text.contains("\"\($0)\"") || text.contains("'\($0)'") }
            || text.contains("PropertyList-1.0.dtd")
        guard words.count == 1 || isKnown else {
            throw PropertyListError(.documentType, at: start, "not Apple's document type")
        }
    }
}
