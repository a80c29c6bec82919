// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A TPM's endorsement key, and the certificate that its maker left in the TPM.
package struct TPMEndorsement: Sendable, Equatable {
    /// The keys of TCG's usual templates.
    package enum Kind: Sendable, CaseIterable {
        case p256, rsa

        /// The index of the certificate (TCG EK Credential Profile, section 2.2.1.4).
        var index: UInt32 {
            switch self {
            case .rsa: 0x01C0_0002
            case .p256: 0x01C0_000A
            }
        }
    }

    package let kind: Kind
    /// `TPMT_PUBLIC` of the key.
    package let publicArea: [UInt8]
    /// DER.
    package let certificate: [UInt8]
}

/// The endorsement key shows that another key is in the same TPM (TPM 2.0 Library part 1 section 24).
/// The endorsement hierarchy has no password.
extension TPMDevice {
    /// On P-256 where there is a certificate of that, which is faster to make; else of RSA.
    ///
    /// - Returns: `nil` where the TPM has no certificate.
    package func endorsement() throws(TPMError) -> TPMEndorsement? {
        let tpm = try TPMConnection(path: path)
        var refusal: TPMError?
        for kind in TPMEndorsement.Kind.allCases {
            guard let certificate = try Self.certificate(kind.index, in: tpm) else { continue }
            do throws(TPMError) {
                let area = try Self.publicArea(kind, in: tpm)
                return TPMEndorsement(kind: kind, publicArea: area, certificate: certificate)
            } catch {
                guard case .refused = error else { throw error }
                refusal = error
            }
        }
        if let refusal { throw refusal }
        return nil
    }

    private static func publicArea(
        _ kind: TPMEndorsement.Kind, in tpm: TPMConnection
    ) throws(TPMError) -> [UInt8] {
        var response = try tpm.send(TPMCommand.createEndorsementKey(kind))
        return try tpm.with(try response.handle()) { (_) throws(TPMError) in
            try response.skipParameterSize()
            return try response.buffer()
        }
    }

    /// Decrypts a result of `TPM2_MakeCredential` for one key of this TPM
    /// (`TPM2_ActivateCredential`, part 3 section 12.5).
    ///
    /// - Parameters:
    ///   - blob: The contents of `TPM2B_ID_OBJECT`.
    ///   - encryptedSecret: The contents of `TPM2B_ENCRYPTED_SECRET`.
    /// - Throws: ``TPMError/refused(code:)`` for a credential of another TPM or key.
    package func activate(
        _ key: TPMObject, with kind: TPMEndorsement.Kind, blob: [UInt8], encryptedSecret: [UInt8]
    ) throws(TPMError) -> Secret {
        let tpm = try TPMConnection(path: path)
        return try tpm.withObject(key) { (key) throws(TPMError) in
            var made = try tpm.send(TPMCommand.createEndorsementKey(kind))
            return try tpm.with(try made.handle()) { (endorsementKey) throws(TPMError) in
                let session = try Self.policySession(in: tpm)
                let command = TPMCommand.activate(
                    key, by: endorsementKey, session, blob: blob, encryptedSecret: encryptedSecret)
                var response: TPMResponse
                do throws(TPMError) { response = try tpm.send(command) } catch {
                    // It has ended only where the command has done what it is for.
                    _ = try? tpm.send(TPMCommand.flush(session))
                    throw error
                }
                try response.skipParameterSize()
                var bytes = try response.buffer()
                return Secret(wiping: &bytes)
            }
        }
    }

    private static func policySession(
        in tpm: TPMConnection
    ) throws(TPMError) -> TPMCommand.Handle {
        var response = try tpm.send(TPMCommand.startPolicySession)
        let session = try response.handle()
        do throws(TPMError) { _ = try tpm.send(TPMCommand.proveEndorsement(in: session)) } catch {
            _ = try? tpm.send(TPMCommand.flush(session))
            throw error
        }
        return session
    }

    // MARK: Certificates

    /// The most that is read of an index, and at once: TPMs that give more are rare.
    private static let (greatestCertificate, atOnce) = (4096, 512)

    private static func certificate(
        _ index: UInt32, in tpm: TPMConnection
    ) throws(TPMError) -> [UInt8]? {
        var bytes: [UInt8] = []
        do throws(TPMError) {
            let size = try size(of: index, in: tpm)
            while bytes.count < size {
                let command = TPMCommand.read(
                    index, UInt16(min(atOnce, size - bytes.count)), from: UInt16(bytes.count))
                var response = try tpm.send(command)
                try response.skipParameterSize()
                let part = try response.buffer()
                guard !part.isEmpty else { throw .nonsense }
                bytes += part
            }
        } catch {
            // Nothing is there, or nothing that may be read.
            guard case .refused = error else { throw error }
            return nil
        }
        return sequence(bytes)
    }

    private static func size(of index: UInt32, in tpm: TPMConnection) throws(TPMError) -> Int {
        var response = try tpm.send(TPMCommand.describe(index))
        var area = TPMResponse(structure: try response.buffer())
        _ = try area.number32()
        _ = try area.number16()
        _ = try area.number32()
        _ = try area.buffer()
        return min(Int(try area.number16()), greatestCertificate)
    }

    /// Returns one DER sequence without the padding that some manufacturers add. `nil` for anything
    /// else.
    static func sequence(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 4, bytes[0] == 0x30, bytes[1] == 0x82 else { return nil }
        let count = 4 + (Int(bytes[2]) << 8 | Int(bytes[3]))
        return count <= bytes.count ? Array(bytes.prefix(count)) : nil
    }
}
