// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives

/// Evaluates the `prf` extension by means of hmac-secret (WebAuthn section 10.1.4, CTAP 2.2
/// section 12.5).
struct PRFSalts: Sendable {
    private let agreement: PINAgreement
    private let count: Int
    let input: HMACSecretInput

    /// SHA-256 of "WebAuthn PRF", a zero byte, and the input.
    static func salt(_ input: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: Array("WebAuthn PRF".utf8) + [0] + input))
    }

    init(_ values: PRFRequest.Values, _ agreement: PINAgreement) throws(SecurityKeyError) {
        self.agreement = agreement
        let salts = [values.first, values.second].compactMap { $0 }.map(Self.salt)
        count = salts.count
        let encrypted = try agreement.encrypt(Secret(salts.joined()))
        input = HMACSecretInput(
            keyAgreement: agreement.publicKey, saltEnc: encrypted,
            saltAuth: agreement.secret.authenticate(encrypted),
            pinUvAuthProtocol: agreement.pinProtocol == .one
                ? nil : agreement.pinProtocol.rawValue)
    }

    /// The outputs as the extension's results have them.
    func results(_ encrypted: [UInt8]) throws(SecurityKeyError) -> JSONValue {
        try agreement.decrypt(encrypted).withBytes { (outputs) throws(SecurityKeyError) in
            guard outputs.count == 32 * count else {
                throw .untrustworthyReply("another number of outputs than of salts")
            }
            var results = JSONObject()
            results["first"] = .string(Base64URL.encode(outputs.prefix(32)))
            if count == 2 { results["second"] = .string(Base64URL.encode(outputs.suffix(32))) }
            return .object(results)
        }
    }
}
