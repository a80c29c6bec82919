// SPDX-License-Identifier: Apache-2.0

/// The transport of an authorization response to the client.
package enum ResponseMode: String, Sendable, CaseIterable {
    case query
    case fragment
    /// OAuth 2.0 Form Post Response Mode.
    case formPost = "form_post"
}
