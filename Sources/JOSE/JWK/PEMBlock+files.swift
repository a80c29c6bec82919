// SPDX-License-Identifier: Apache-2.0

extension PEMBlock {
    /// Returns the blocks with that label from a file of certificates or revocation lists (RFC 7468
    /// sections 5 and 6). Text between them and unreadable blocks are ignored.
    package static func all(_ label: String, in text: String) -> [PEMBlock] {
        let (first, last) = ("-----BEGIN \(label)-----", "-----END \(label)-----")
        var found: [PEMBlock] = []
        var lines: [Substring]?
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix(first) { lines = [] }
            lines?.append(line)
            guard line.hasPrefix(last), let block = lines?.joined(separator: "\n") else { continue }
            if let block = try? PEMBlock(block, limit: block.utf8.count) { found.append(block) }
            lines = nil
        }
        return found
    }

    /// DER of each block with that label; the whole content when it is DER already.
    package static func contents(_ label: String, in content: [UInt8]) -> [[UInt8]] {
        // A SEQUENCE, which no text begins with: "0" is not at the start of any PEM line.
        if content.first == 0x30 { return [content] }
        return all(label, in: String(decoding: content, as: UTF8.self)).map(\.der)
    }
}
