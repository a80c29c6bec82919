// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import Storage

/// The hash of the session identifier of an upstream provider (`sid`, OpenID Connect Back-Channel
/// Logout 1.0 section 2.1). Sessions that depend on it are found by this hash and end with it.
struct UpstreamSession: Sendable, Equatable {
    let hash: [UInt8]

    /// Returns `nil` if the identifier is empty or longer than 255 bytes.
    init?(_ provider: Identifier<UpstreamProvider>, sid: String) {
        guard (1...255).contains(sid.utf8.count) else { return nil }
        hash = Array(
            SHA256.hash(data: Array("upstream-session".utf8) + provider.bytes + Array(sid.utf8)))
    }
}
