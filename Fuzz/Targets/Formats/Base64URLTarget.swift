// SPDX-License-Identifier: Apache-2.0
import Primitives

extension FuzzTarget {
    /// One byte string has one spelling.
    static let base64url = FuzzTarget(name: "base64url") { letters in
        guard let bytes = Base64URL.decode(bytes: letters) else { return }
        precondition(Base64URL.encodeBytes(bytes) == letters, "two spellings of the same bytes")
    }
}
