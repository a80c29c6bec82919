// SPDX-License-Identifier: Apache-2.0
import CBOR
import WebAuthn

/// Writes authenticator data (WebAuthn section 6.1).
struct AuthenticatorDataWriter {
    var rpIdHash: [UInt8]
    var flags: AuthenticatorFlags
    var signCount: UInt32
    var aaguid: [UInt8] = []
    var credential: AuthenticatorCredential?
    var extensions: CBORValue?

    var bytes: [UInt8] {
        var flags = flags
        if credential != nil { flags.insert(.attestedCredentialData) }
        if extensions != nil { flags.insert(.extensionData) }
        var bytes = rpIdHash + [flags.rawValue]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: signCount >> (24 - 8 * $0)) }
        if let credential {
            let length = credential.id.count
            bytes += aaguid
            bytes += [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
            bytes += credential.id
            credential.key.publicKey.append(to: &bytes, ordering: .ctap2)
        }
        extensions?.append(to: &bytes, ordering: .ctap2)
        return bytes
    }
}
