// SPDX-License-Identifier: Apache-2.0
public import Crypto
import JOSE

/// Whether a new credential can derive secrets, and those that it derived.
public struct ASAuthorizationPublicKeyCredentialPRFRegistrationOutput: Sendable {
    /// Whether it can.
    public let isSupported: Bool
    /// The secret of the first input, 32 bytes.
    public let first: SymmetricKey?
    /// The secret of the second input, 32 bytes.
    public let second: SymmetricKey?

    init?(_ results: JSONObject) {
        guard let member = results["prf"]?.object, let enabled = member["enabled"]?.bool else {
            return nil
        }
        isSupported = enabled
        typealias Output = ASAuthorizationPublicKeyCredentialPRFAssertionOutput
        first = Output.key(member["results"]?["first"])
        second = Output.key(member["results"]?["second"])
    }
}
