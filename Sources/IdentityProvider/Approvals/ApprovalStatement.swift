// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives
import Storage

/// What a client is told of an approval, in the ID token that we sign: what was shown, and what
/// the installation's key has signed, with the key. Whoever keeps it can show later what was
/// approved, without asking anybody.
struct ApprovalStatement: Sendable {
    /// Of the ID token.
    static let claim = "approval"

    let approval: Approval
    /// Of the installation, as it is registered; `nil` when it was removed meanwhile.
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
