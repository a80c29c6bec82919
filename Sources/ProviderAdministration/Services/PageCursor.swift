// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Storage

/// The position in a list from which the next page continues: opaque to callers, and of no use in
/// another list or another installation.
struct PageCursor: Sendable {
    private static let tagLength = 16

    /// Identifies the list and its filter.
    let list: String
    let secrets: DerivedKeys

    func encode(_ last: String) -> String {
        Base64URL.encode(tag(of: Array(last.utf8)) + Array(last.utf8))
    }

    /// `nil` for what ``encode(_:)`` did not make.
    func decode(_ cursor: String) -> String? {
        guard cursor.utf8.count <= 2048, let bytes = Base64URL.decode(cursor),
            bytes.count > Self.tagLength
        else { return nil }
        let last = bytes.dropFirst(Self.tagLength)
        guard ConstantTime.equal(bytes.prefix(Self.tagLength), tag(of: Array(last))) else {
            return nil
        }
        return String(validating: last, as: UTF8.self)
    }

    private func tag(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        secrets.hash(Array(list.utf8) + [0] + bytes, for: .cursor).prefix(Self.tagLength)
    }
}
