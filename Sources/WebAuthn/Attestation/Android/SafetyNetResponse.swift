// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives

/// The JWS of the SafetyNet service in compact form (RFC 7515 section 7.1), decoded.
///
/// It contains the certificates that verify it, so its content is only as trustworthy as they are.
struct SafetyNetResponse {
    /// Header `x5c`, DER.
    let certificates: [[UInt8]]
    let nonce: [UInt8]
    /// `ctsProfileMatch`.
    let isGenuineDevice: Bool
    /// `timestampMs`: since 1970.
    let milliseconds: Int64

    private let algorithm: COSEAlgorithm
    private let signedText: ArraySlice<UInt8>
    private let signature: [UInt8]

    private static let maximumBytes = 32768

    init(compact text: ArraySlice<UInt8>) throws(StatementRefusal) {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, text.count <= Self.maximumBytes,
            let signature = Base64URL.decode(bytes: parts[2])
        else { throw Self.malformed("not three parts") }
        self.signature = signature
        signedText = text[parts[0].startIndex..<parts[1].endIndex]
        let header = JSONReader(try Self.object(parts[0])) { Self.malformed($0.description) }
        switch try header.required("alg", .string) {
        case "RS256": algorithm = .rs256
        case "ES256": algorithm = .es256
        default: throw Self.malformed("alg is neither RS256 nor ES256")
        }
        guard header.object["crit"] == nil else { throw Self.malformed("crit is not understood") }
        certificates = try header.required(
            "x5c", .list(of: .base64, atMost: CertificatePath.maximumCertificates))
        guard !certificates.isEmpty else { throw Self.malformed("x5c is empty") }
        let payload = JSONReader(try Self.object(parts[1])) { Self.malformed($0.description) }
        nonce = try payload.required("nonce", .base64)
        isGenuineDevice = try payload.required("ctsProfileMatch", .bool)
        milliseconds = try payload.required("timestampMs", .integer)
    }

    func requireSignature(by leaf: AttestationCertificate) throws(StatementRefusal) {
        guard let key = KeyMaterial(leaf, for: algorithm) else {
            throw StatementRefusal(
                .attestationAlgorithmMismatch, "alg does not fit the certificate")
        }
        guard isValid(by: key) else {
            throw StatementRefusal(.attestationSignatureInvalid, "not by the certificate")
        }
    }

    private func isValid(by key: KeyMaterial) -> Bool {
        // JWS writes ECDSA signatures as two numbers of full length (RFC 7518 section 3.4).
        if case .p256(let key) = key {
            guard let raw = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
                return false
            }
            return key.isValidSignature(raw, for: signedText)
        }
        return COSESignatureVerifier(algorithm: algorithm, material: key)
            .isValid(signature: signature[...], over: signedText, [])
    }

    private static func object(_ part: ArraySlice<UInt8>) throws(StatementRefusal) -> JSONObject {
        guard let bytes = Base64URL.decode(bytes: part),
            let object = try? JSONParser.parseObject(
                bytes, maximumBytes: maximumBytes, maximumDepth: 8)
        else { throw malformed("a part is not a JSON object") }
        return object
    }

    private static func malformed(_ reason: String) -> StatementRefusal {
        StatementRefusal(.attestationResponseMalformed, reason)
    }
}
