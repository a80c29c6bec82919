// SPDX-License-Identifier: Apache-2.0
import Crypto

/// What the evidence of a device key (App Attest, Android key attestation …) attests to, when the
/// key is registered with a PIN.
package enum PINRegistrationChallenge {
    /// SHA-256 over issuer, key, nonce and transport key, 32 bytes. Who swaps the transport key to
    /// receive the secret, or the device key, breaks the evidence.
    package static func bytes(
        _ binding: PINBinding, nonce: PINNonce, transportKey: PINTransportPublicKey
    ) -> [UInt8] {
        var transcript = PINTranscript(.registration, binding)
        transcript.append(nonce.bytes)
        transcript.append(transportKey.bytes)
        return Array(SHA256.hash(data: transcript.bytes))
    }
}
