// SPDX-License-Identifier: Apache-2.0
import Crypto

/// The challenge that the evidence of a device key (App Attest, Android key attestation …) contains
/// if the key is registered with a PIN.
package enum PINRegistrationChallenge {
    /// Returns SHA-256 of issuer, key, nonce and transport key, 32 bytes. An attacker who replaces
    /// the transport key or the device key invalidates the evidence. The kind of the transport key
    /// is the version of the transcript.
    package static func bytes(
        _ binding: PINBinding, nonce: PINNonce, transportKey: PINTransportPublicKey
    ) -> [UInt8] {
        var transcript = PINTranscript(.registration, binding, transportKey.protocolVersion)
        transcript.append(nonce.bytes)
        transcript.append(transportKey.bytes)
        return Array(SHA256.hash(data: transcript.bytes))
    }
}
