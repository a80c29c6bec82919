// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Storage

/// The binding of a web login's code to the device that signed, to `state` and to `nonce` (Apple
/// "Implementing web-based authentication with Platform SSO").
///
/// macOS sends no `code_verifier`. Therefore the provider derives one from the values that must be
/// equal at both ends, and the code is bound like that of any public client (RFC 7636). Codes of
/// other requests do not match. The code cannot be redeemed at the token endpoint, because only the
/// provider knows the verifier.
struct WebLoginBinding {
    let device: Identifier<Device>
    let state: String
    let nonce: String

    /// 43 characters.
    func verifier(_ secrets: DerivedKeys) -> String {
        var content = device.bytes
        for part in [state, nonce] {
            let bytes = Array(part.utf8)
            content += withUnsafeBytes(of: UInt32(clamping: bytes.count).bigEndian) { Array($0) }
            content += bytes
        }
        return Base64URL.encode(secrets.hash(content, for: .webLogin))
    }
}
