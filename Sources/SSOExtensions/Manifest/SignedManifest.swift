// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A manifest with its signature: a compact JWS (RFC 7515 section 7.1) with EdDSA or ES256.
///
/// The manifest contains the key, so the signature alone only proves that the key's owner wrote it.
/// The profile establishes the trust: it names the team, whose identifier is derived from the key.
package enum SignedManifest {
    package static let type = "gatehouse-extension+jwt"
    package static let algorithms: [JWSAlgorithm] = [.edDSA, .es256]
    package static let maximumBytes = 16_384

    /// - Throws: `failure` when signing fails.
    package static func sign(
        _ manifest: ExtensionManifest, with signer: JOSESigner
    ) throws(JOSEError) -> [UInt8] {
        try signer.sign(payload: manifest.json.bytes, typ: type)
    }

    /// The manifest whose signature is right.
    ///
    /// - Throws: `tooLarge`, `algorithmRefused`, `signatureInvalid`, and what
    ///   ``ExtensionManifest/init(json:)`` throws.
    package static func verify(_ bytes: [UInt8]) throws(ExtensionTrustRefusal) -> ExtensionManifest
    {
        let jws: UnverifiedJWS
        do throws(JOSEError) {
            jws = try UnverifiedJWS(compact: trimmed(bytes), maximumBytes: maximumBytes)
        } catch {
            throw ExtensionTrustRefusal(
                error.code == .tooLarge ? .tooLarge : .manifestMalformed,
                "The manifest is not a compact JWS: \(error.reason).")
        }
        guard jws.header.isType(type) else {
            throw ExtensionTrustRefusal(.manifestMalformed, "The manifest's typ is not \(type).")
        }
        guard
            let json = try? JSONParser.parseObject(
                jws.payload, maximumBytes: maximumBytes, maximumDepth: 4)
        else {
            throw ExtensionTrustRefusal(
                .manifestMalformed, "The manifest does not contain a JSON object.")
        }
        let manifest = try ExtensionManifest(json: json)
        do throws(JOSEError) {
            let verifier = JWSVerifier(key: .publicKey(manifest.key), algorithms: algorithms)
            _ = try verifier.verify(jws)
        } catch {
            throw ExtensionTrustRefusal(
                error.code == .signatureInvalid ? .signatureInvalid : .algorithmRefused,
                "The manifest's signature is not valid: \(error.reason).")
        }
        return manifest
    }

    /// Returns the text without the line feed that editors and shells add.
    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
    }
}
