// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import WebAuthn

/// Keys of credentials that a TPM 2.0 makes and never gives away: it hands out an encrypted form
/// that only itself can load, and signs with it.
///
/// Each operation derives the storage key anew, loads the credential's key and takes it out again.
/// What a TPM cannot do stays in the sealed store: ES256 is the only algorithm, and the secrets of
/// hmac-secret are computed by us.
package struct TPMCredentialKeys: CredentialHardware {
    private let path: String

    /// - Parameter path: `/dev/tpmrm0`, or the Unix socket of a software TPM.
    package init(path: String = "/dev/tpmrm0") { self.path = path }

    package func makeKey() throws(AuthenticatorStoreError) -> HardwareKey {
        let tpm = try TPMConnection(path: path)
        let object = try tpm.withParent { (parent) throws(AuthenticatorStoreError) in
            var response = try tpm.send(TPMCommand.createSigningKey(under: parent))
            return try TPMObject(created: &response)
        }
        guard let key = Self.key(object) else { throw .tpmProtocol }
        return key
    }

    package func sign(
        _ message: [UInt8], with key: HardwareKey
    ) throws(AuthenticatorStoreError) -> [UInt8] {
        guard let reader = try? MemberReader(key.handle, "key"), let object = TPMObject(reader)
        else { throw .damaged }
        let digest = Array(SHA256.hash(data: message))
        let tpm = try TPMConnection(path: path)
        return try tpm.withObject(object) { (handle) throws(AuthenticatorStoreError) in
            var response = try tpm.send(TPMCommand.sign(digest, with: handle))
            return try Self.signature(&response)
        }
    }

    static func key(_ object: TPMObject) -> HardwareKey? {
        guard let area = try? TPMPublicArea(object.publicPart[...]),
            case .point(curve: 3, x: let first, y: let second) = area.key,
            let x = field(first), let y = field(second)
        else { return nil }
        var writer = MemberWriter()
        object.add(to: &writer)
        return HardwareKey(point: x + y, handle: writer.encoded)
    }

    /// `TPMT_SIGNATURE` of ECDSA with SHA-256, in DER.
    private static func signature(
        _ response: inout TPMResponse
    ) throws(AuthenticatorStoreError) -> [UInt8] {
        try response.skipParameterSize()
        guard try response.number16() == 0x0018, try response.number16() == 0x000B,
            let r = field(try response.buffer()), let s = field(try response.buffer()),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: r + s)
        else { throw .tpmProtocol }
        return Array(signature.derRepresentation)
    }

    /// A number of 32 bytes, with the zeros in front that some TPMs leave out.
    static func field(_ number: [UInt8]) -> [UInt8]? {
        guard number.count <= 32 else { return nil }
        return [UInt8](repeating: 0, count: 32 - number.count) + number
    }
}
