// SPDX-License-Identifier: Apache-2.0

/// `loginRequestEncryptionAlgorithm` of macOS 15. Only the first is supported here.
package enum EncryptionAlgorithm: String, Sendable, CaseIterable {
    case ecdheA256GCM = "ecdhe_A256GCM"
    case hpkeP256SHA256AESGCM256 = "hpke_P256_SHA256_AES_GCM_256"
    case hpkeP384SHA384AESGCM256 = "hpke_P384_SHA384_AES_GCM_256"
    case hpkeCurve25519SHA256ChaChaPoly = "hpke_Curve25519_SHA256_ChachaPoly"
}
