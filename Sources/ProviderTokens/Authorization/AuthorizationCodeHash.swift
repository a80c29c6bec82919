// SPDX-License-Identifier: Apache-2.0
import ProviderCore

/// The hash under which an authorization code is stored.
///
/// A code that is bound to a key (`dpop_jkt`, RFC 9449 section 10) is stored under a hash of code
/// and key, so it is not found with another key or without one. The prefix of the code marks it as
/// bound.
enum AuthorizationCodeHash {
    /// No other code contains a dot.
    private static let bound = "k."

    static func newCode(boundTo thumbprint: String?, by provider: Provider) -> String {
        (thumbprint == nil ? "" : bound) + provider.newSecret()
    }

    /// - Parameter thumbprint: the thumbprint of the bound or proven key (RFC 7638).
    static func hash(
        of code: String, boundTo thumbprint: String?, in secrets: DerivedKeys
    ) -> [UInt8] {
        guard code.hasPrefix(bound) else {
            return secrets.hash(code.utf8, for: .authorizationCode)
        }
        return secrets.hash("\(code)/\(thumbprint ?? "")".utf8, for: .authorizationCode)
    }
}
