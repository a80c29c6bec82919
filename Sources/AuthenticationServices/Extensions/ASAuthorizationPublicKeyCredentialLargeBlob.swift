// SPDX-License-Identifier: Apache-2.0
import CTAP
public import Foundation
import JOSE
import Primitives

/// The request whether a passkey must support a large blob (WebAuthn section 10.1.5).
public struct ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput: Hashable, Sendable {
    /// The strength of the requirement.
    public enum SupportRequirement: Int, Sendable {
        /// Without it the request fails.
        case required = 0
        /// It would be good.
        case preferred = 1
    }

    /// The strength of the requirement.
    public var supportRequirement: SupportRequirement

    /// Without it the request fails.
    public static let supportRequired = Self(supportRequirement: .required)
    /// It would be good.
    public static let supportPreferred = Self(supportRequirement: .preferred)

    var support: RegistrationExtensionInputs.LargeBlobSupport {
        supportRequirement == .required ? .required : .preferred
    }
}

/// Whether a new passkey supports a large blob.
public struct ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput: Hashable, Sendable {
    /// Whether it can.
    public var isSupported: Bool

    init?(_ results: JSONObject) {
        guard let isSupported = results["largeBlob"]?["supported"]?.bool else { return nil }
        self.isSupported = isSupported
    }
}

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

/// The result of the operation.
public struct ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput: Hashable, Sendable {
    /// The result of the operation.
    public enum OperationResult: Hashable, Sendable {
        /// The data; `nil` when there are none.
        case read(data: Data?)
        /// Whether they were written.
        case write(success: Bool)
    }

    /// The result of the operation.
    public var result: OperationResult

    init?(_ results: JSONObject) {
        guard let member = results["largeBlob"]?.object else { return nil }
        if let isWritten = member["written"]?.bool {
            result = .write(success: isWritten)
        } else {
            result = .read(
                data: member["blob"]?.string.flatMap { Base64URL.decode($0) }.map { Data($0) })
        }
    }
}
