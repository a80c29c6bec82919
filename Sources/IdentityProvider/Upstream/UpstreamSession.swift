// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import Storage

/// What an upstream provider calls its own session with somebody (`sid`, OpenID Connect Back-Channel
/// Logout 1.0 section 2.1): ours that rest on it are found by this hash, and end with it.
struct UpstreamSession: Sendable, Equatable {
    let hash: [UInt8]

    /// `nil` when that is no name of a session: empty, or longer than 255 bytes.
    init?(_ provider: Identifier<UpstreamProvider>, sid: String) {
        guard (1...255).contains(sid.utf8.count) else { return nil }
        hash = Array(
            SHA256.hash(data: Array("upstream-session".utf8) + provider.bytes + Array(sid.utf8)))
    }
}
