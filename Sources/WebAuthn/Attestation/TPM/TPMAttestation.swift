// SPDX-License-Identifier: Apache-2.0

/// Section 8.3, TPM attestation: the platform's TPM certifies the credential's key.
enum TPMAttestation {
    /// The verification procedure of section 8.3, in its order.
    static func verify(
        _ evidence: AttestationEvidence
    ) throws(StatementRefusal) -> VerifiedStatement {
        // 1: the statement is CBOR conforming to the syntax.
        try evidence.requireMembers(6)
        guard try evidence.text("ver") == "2.0" else {
            throw StatementRefusal(.attestationStatementMalformed, "ver is not 2.0")
        }
        let number = try evidence.algorithmNumber()
        let (areaBytes, infoBytes) = (
            try evidence.bytes("pubArea"), try evidence.bytes("certInfo")
        )
        let path = try CertificatePath.read(evidence.member("x5c"))
        let algorithm = try evidence.algorithm(
            number, among: evidence.algorithms.tpmStatements)
        // 2: the key of pubArea is the credential's.
        let area = try read { () throws(TPMStructureError) in try TPMPublicArea(areaBytes) }
        try checkKey(area, evidence)
        // 3, 4: certInfo is of this key and of this ceremony.
        let info = try read { () throws(TPMStructureError) in try TPMAttestationData(infoBytes) }
        try check(info, algorithm: algorithm, evidence)
        try checkName(info.name, of: area, attestedBy: algorithm)
        // 5: the attestation identity key signs certInfo, and its certificate is valid.
        try evidence.requireSignature(by: path[0], algorithm: algorithm, over: infoBytes, [])
        try TPMCertificateRequirements.check(
            path[0].certificate, vendors: evidence.policy.tpmVendors)
        try AAGUIDExtension.check(path[0].certificate, names: evidence.credential.aaguid)
        // 6: return the path.
        return VerifiedStatement(
            type: .certified, trustPath: path,
            verifiedExtensions: TPMCertificateRequirements.verifiedExtensions)
    }

    private static func read<Structure>(
        _ read: () throws(TPMStructureError) -> Structure
    ) throws(StatementRefusal) -> Structure {
        do { return try read() } catch {
            switch error {
            case .wrongMagic: throw StatementRefusal(.attestationTPMMagicWrong, "\(error)")
            case .wrongType: throw StatementRefusal(.attestationTPMTypeWrong, "\(error)")
            case .truncated, .trailingBytes, .tooLong, .unsupported:
                throw StatementRefusal(.attestationTPMStructureMalformed, "\(error)")
            }
        }
    }

    private static func checkKey(
        _ area: TPMPublicArea, _ evidence: AttestationEvidence
    ) throws(StatementRefusal) {
        guard let key = KeyMaterial(area.key), key.isSame(as: evidence.credentialKey.material)
        else {
            throw StatementRefusal(.attestationKeyMismatch, "pubArea is not the credential's key")
        }
    }

    /// extraData is the hash, with the algorithm's hash function, of what is attested.
    private static func check(
        _ info: TPMAttestationData, algorithm: COSEAlgorithm, _ evidence: AttestationEvidence
    ) throws(StatementRefusal) {
        guard let hash = algorithm.hash else {
            throw StatementRefusal(
                .attestationAlgorithmMismatch, "alg \(algorithm.rawValue) has no hash")
        }
        let attested = hash.digest(evidence.authenticatorData.bytes, evidence.clientDataHash)
        guard info.qualifyingData.elementsEqual(attested) else {
            throw StatementRefusal(.attestationChallengeMismatch, "another extraData")
        }
    }

    private static func checkName(
        _ name: ArraySlice<UInt8>, of area: TPMPublicArea, attestedBy algorithm: COSEAlgorithm
    ) throws(StatementRefusal) {
        // A TPM that supports only SHA-1 also uses it for key names. A forged name requires a
        // second preimage, which is infeasible for SHA-1.
        guard let expected = area.name(acceptsSHA1: algorithm.usesSHA1) else {
            throw StatementRefusal(
                .attestationTPMNameMismatch, "nameAlg \(area.nameAlgorithm) is not accepted")
        }
        guard name.elementsEqual(expected) else {
            throw StatementRefusal(.attestationTPMNameMismatch, "the name is of another key")
        }
    }
}

extension KeyMaterial {
    /// Creates the key of a TPM's public area; `nil` if credentials cannot have such a key.
    init?(_ key: TPMPublicArea.Key) {
        switch key {
        case .rsa(let modulus, let exponent):
            let bytes = (0..<4).map { UInt8(truncatingIfNeeded: exponent >> UInt32(24 - $0 * 8)) }
            guard
                let key = try? KeyMaterial.rsa(
                    modulus: modulus[...], exponent: bytes.drop { $0 == 0 })
            else { return nil }
            self = key
        case .point(let curve, let x, let y):
            // TPM_ECC_CURVE, TCG Algorithm Registry section 6.4.
            let curves: [UInt16: COSECurve] = [3: .p256, 4: .p384, 5: .p521]
            guard let curve = curves[curve], let x = curve.padded(x), let y = curve.padded(y),
                let key = try? KeyMaterial.point(curve, x: x, y: y)
            else { return nil }
            self = key
        }
    }
}

extension COSECurve {
    /// Pads a coordinate to full length; TPMs may omit leading zeros.
    fileprivate func padded(_ coordinate: [UInt8]) -> ArraySlice<UInt8>? {
        let missing = coordinateLength - coordinate.count
        return missing < 0 ? nil : ([UInt8](repeating: 0, count: missing) + coordinate)[...]
    }
}
