// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Under which hash an authorization code is kept.
///
/// One that is bound to a key (`dpop_jkt`, RFC 9449 section 10) is kept under code and key
/// together: whoever proves another key, or none, finds nothing. It says itself that it is bound.
enum AuthorizationCodeHash {
    /// No other code has a dot.
    private static let bound = "k."

    static func newCode(boundTo thumbprint: String?, by provider: Provider) -> String {
        (thumbprint == nil ? "" : bound) + provider.newSecret()
    }

    /// - Parameter thumbprint: of the key that is bound, or was proven (RFC 7638).
    static func hash(
        of code: String, boundTo thumbprint: String?, in secrets: DerivedKeys
    ) -> [UInt8] {
        guard code.hasPrefix(bound) else {
            return secrets.hash(code.utf8, for: .authorizationCode)
        }
        return secrets.hash("\(code)/\(thumbprint ?? "")".utf8, for: .authorizationCode)
    }
}
