// SPDX-License-Identifier: Apache-2.0
import CTAP

/// The operation on the large blob of a passkey.
public struct ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput: Hashable, Sendable {
    /// The operation.
    public enum Operation: Hashable, Sendable {
        /// Read it.
        case read
        /// Put this in its place.
        case write(Data)
    }

    /// The operation.
    public var operation: Operation

    /// Reads the data.
    public static let read = Self(operation: .read)

    /// Puts `data` in its place.
    public static func write(_ data: Data) -> Self { Self(operation: .write(data)) }

    var request: AssertionExtensionInputs.LargeBlob {
        switch operation {
        case .read: .read
        case .write(let data): .write(Array(data))
        }
    }
}
