// SPDX-License-Identifier: Apache-2.0
package import ProviderCore

/// The `code` of a problem document of `/entitlements`. The values are stable.
package enum EntitlementCode: String, Sendable, CaseIterable {
    case missingInput = "missing_input"
    case malformedInput = "malformed_input"
    case notSignedIn = "not_signed_in"
    case scopeMissing = "scope_missing"
    /// The remaining amount is less than the requested one.
    case insufficient = "insufficient_entitlements"
    /// The request identifier belongs to another change.
    case requestTaken = "request_id_taken"

    package func refusal(_ message: String? = nil, because reason: String) -> Refusal {
        Refusal(rawValue, message ?? self.message, reason: reason)
    }

    private var message: String {
        switch self {
        case .missingInput: "Something that is needed is missing."
        case .malformedInput: "Something in the request cannot be read."
        case .notSignedIn: "Sign in first: send an active access token."
        case .scopeMissing: "The access token needs the scope entitlements."
        case .insufficient: "There is not enough left."
        case .requestTaken: "This request_id stood for another change. Choose a new one."
        }
    }
}
