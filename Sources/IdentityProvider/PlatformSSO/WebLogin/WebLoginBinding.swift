// SPDX-License-Identifier: Apache-2.0
import OAuth
import PlatformSSO
import Primitives
import Storage

/// What ties the code of a web login to the device that signed for it, to `state` and to `nonce`
/// (Apple "Implementing web-based authentication with Platform SSO").
///
/// macOS sends no `code_verifier`. So the provider makes one of what it must be the same at both
/// ends, and the code is bound as any other public client's is (RFC 7636). A code from elsewhere
/// does not meet it, and this one is of no use at the token endpoint: nobody else knows the
/// verifier.
struct WebLoginBinding {
    let device: Identifier<Device>
    let state: String
    let nonce: String

    /// 43 letters.
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
