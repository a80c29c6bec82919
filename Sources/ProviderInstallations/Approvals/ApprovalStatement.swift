// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives
import Storage

/// A claim of the ID token that is proof of an approval: the message, the transaction hash, the
/// response that the key of the installation signed, and the key. A client that stores the ID token
/// can verify the approval later without a request to the provider.
struct ApprovalStatement: Sendable {
    let approval: Approval
    /// The registered key of the installation, or `nil` if the installation was removed after the
    /// response.
    let key: PublicJWK?

    var json: JSONValue {
        var object = JSONObject()
        object["id"] = .string(approval.id.description)
        object["message"] = .string(approval.message)
        if !approval.transaction.isEmpty {
            object["transaction_hash"] = .string(
                SignedApprovalResponse.hash(of: approval.transaction))
        }
        object["installation_id"] = approval.installation.map { .string($0.description) }
        object["answer"] = approval.answer.map(JSONValue.string)
        object["key"] = key?.json
        return .object(object)
    }
}
