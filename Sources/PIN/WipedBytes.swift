// SPDX-License-Identifier: Apache-2.0
import Primitives
import Synchronization

/// Secret bytes that are overwritten with zeros when their last owner lets go.
///
/// What a caller copies out of ``withBytes(_:)`` is the caller's to forget. Nothing here prints.
final class WipedBytes: Sendable {
    /// Immutable; the lock allows ``deinit`` to overwrite it.
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    /// Lends the bytes during the call.
    func withBytes<Value: Sendable, Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try bytes.withLock { (bytes) throws(Failure) in try body(bytes) }
    }

    deinit { bytes.withLock { WipedBytes.wipe(&$0) } }

    /// Overwrites `bytes` with zeros in a way that the compiler does not remove.
    static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { Secret.overwrite($0) }
    }
}
