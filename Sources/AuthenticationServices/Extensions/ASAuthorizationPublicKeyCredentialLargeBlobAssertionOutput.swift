// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

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
