// SPDX-License-Identifier: Apache-2.0
import CBOR
import WebAuthn

/// The conversion of U2F messages into CTAP2 messages (CTAP 2.2 section 7).
package enum U2FMapping {
    /// Authenticator data of a new credential (section 7.1): UP and AT set, counter and AAGUID
    /// zero. `nil` when the public key is no point on P-256.
    package static func authenticatorData(
        _ registration: U2FRegistration, application: [UInt8]
    ) -> [UInt8]? {
        let point = registration.publicKey.dropFirst()
        guard point.count == 64 else { return nil }
        let key = CBORValue.map([
            CBOREntry(.integer(1), .integer(2)), CBOREntry(.integer(3), .integer(-7)),
            CBOREntry(.integer(-1), .integer(1)),
            CBOREntry(.integer(-2), .byteString(point.prefix(32))),
            CBOREntry(.integer(-3), .byteString(point.suffix(32))),
        ]).encoded(ordering: .ctap2)
        guard (try? COSEPublicKey(cbor: key[...])) != nil else { return nil }
        let length = [UInt8(0), UInt8(clamping: registration.keyHandle.count)]
        return application + [0x41] + [UInt8](repeating: 0, count: 4 + 16) + length
            + registration.keyHandle + key
    }

    /// Returns the equivalent reply of a CTAP2 key, with attestation `fido-u2f`.
    package static func response(
        _ registration: U2FRegistration, application: [UInt8]
    ) -> MakeCredentialResponse? {
        guard let data = authenticatorData(registration, application: application) else {
            return nil
        }
        return MakeCredentialResponse(
            format: "fido-u2f", authenticatorData: data,
            attestationStatement: .map([
                CBOREntry(.text("sig"), .bytes(registration.signature[...])),
                CBOREntry(.text("x5c"), .array([.bytes(registration.certificate[...])])),
            ]))
    }

    /// Returns the equivalent reply of a CTAP2 key to a sign-in (section 7.2).
    package static func response(
        _ assertion: U2FAssertion, application: [UInt8], keyHandle: [UInt8]
    ) -> GetAssertionResponse {
        GetAssertionResponse(
            credential: CTAPCredentialDescriptor(id: keyHandle),
            authenticatorData: application + [assertion.userPresence & 0x01]
                + assertion.counterBytes,
            signature: assertion.signature)
    }
}
