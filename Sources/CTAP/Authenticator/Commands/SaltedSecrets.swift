// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// The decrypted salts of hmac-secret, with the secret that encrypts the output (CTAP 2.1 section
/// 12.5).
struct SaltedSecrets {
    private let shared: PINSharedSecret
    /// One or two salts, 32 bytes each.
    private let salts: [Secret]

    /// Decrypts the input of a client.
    init(_ input: HMACSecretInput, _ machine: AuthenticatorMachine) throws(CTAPStatus) {
        let number = try PINProtocol(
            requested: input.pinUvAuthProtocol ?? PINProtocol.one.rawValue)
        shared = try machine.sharedSecret(with: input.keyAgreement, number)
        guard shared.verify(input.saltEnc, input.saltAuth) else { throw .pinAuthInvalid }
        guard let plaintext = try? shared.decrypt(input.saltEnc) else { throw .invalidLength }
        salts = plaintext.withBytes { bytes in
            switch bytes.count {
            case 32: [Secret(bytes)]
            case 64: [Secret(bytes.prefix(32)), Secret(bytes.suffix(32))]
            default: []
            }
        }
        guard !salts.isEmpty else { throw .invalidLength }
    }

    /// Returns the HMAC of each salt under the credential's secret, encrypted.
    func output(
        of id: [UInt8], verified: Bool, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> [UInt8] {
        let key = machine.wrapping.secret(of: id, verified: verified)
        var outputs = [UInt8](repeating: 0, count: 32 * salts.count)
        for (number, salt) in salts.enumerated() {
            let output = salt.withBytes { HMAC<SHA256>.authenticationCode(for: $0, using: key) }
            outputs.replaceSubrange(32 * number..<32 * (number + 1), with: Array(output))
        }
        do {
            return try shared.encrypt(Secret(wiping: &outputs), random: machine.random)
        } catch { throw .other }
    }
}
