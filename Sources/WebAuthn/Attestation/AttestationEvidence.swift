// SPDX-License-Identifier: Apache-2.0
import CBOR
import Primitives
import X509

/// What the verification procedure of an attestation statement format works on.
struct AttestationEvidence {
    /// `attStmt`.
    var statement: CBORValue
    let authenticatorData: AuthenticatorData
    let credential: AttestedCredentialData
    let credentialKey: COSEPublicKey
    /// SHA-256 of the client data.
    let clientDataHash: [UInt8]
    /// What the relying party decides about single formats.
    let policy: AttestationPolicy
    let algorithms: AcceptedAlgorithms
    let now: Timestamp

    /// The member of the statement with that name.
    func member(_ name: String) -> CBORValue? { statement[name] }

    /// A byte string of the statement, not empty.
    func bytes(_ name: String) throws(StatementRefusal) -> ArraySlice<UInt8> {
        guard let bytes = member(name)?.byteString, !bytes.isEmpty else {
            throw StatementRefusal(
                .attestationStatementMalformed, "\(name) is no byte string or empty")
        }
        return bytes
    }

    /// A text of the statement, not empty.
    func text(_ name: String) throws(StatementRefusal) -> String {
        guard let text = member(name)?.textString, !text.isEmpty else {
            throw StatementRefusal(.attestationStatementMalformed, "\(name) is no text or empty")
        }
        return text
    }

    /// The statement is a map of exactly so many members.
    func requireMembers(_ count: Int) throws(StatementRefusal) {
        guard statement.entries?.count == count else {
            throw StatementRefusal(
                .attestationStatementMalformed, "a member is missing, or one is unknown")
        }
    }

    /// `alg` as a number, whatever it means.
    func algorithmNumber() throws(StatementRefusal) -> Int64 {
        guard let number = member("alg")?.int64 else {
            throw StatementRefusal(.attestationStatementMalformed, "alg is no number")
        }
        return number
    }

    /// The algorithm that `number` means, if this relying party accepts statements signed by it.
    ///
    /// - Parameter accepted: `nil` for ``AcceptedAlgorithms/statements``.
    func algorithm(
        _ number: Int64, among accepted: Set<COSEAlgorithm>? = nil
    ) throws(StatementRefusal) -> COSEAlgorithm {
        guard let algorithm = COSEAlgorithm(rawValue: number) else {
            throw StatementRefusal(.attestationAlgorithmMismatch, "alg \(number) is unknown")
        }
        guard (accepted ?? algorithms.statements).contains(algorithm) else {
            throw StatementRefusal(
                .attestationAlgorithmNotAllowed, "statements by alg \(number) are not accepted")
        }
        return algorithm
    }

    /// `sig` is by the attestation certificate, over `first` and then `second`.
    func requireSignature(
        by leaf: AttestationCertificate, algorithm: COSEAlgorithm, over first: ArraySlice<UInt8>,
        _ second: [UInt8]
    ) throws(StatementRefusal) {
        let signature = try bytes("sig")
        guard let key = KeyMaterial(leaf, for: algorithm) else {
            throw StatementRefusal(
                .attestationAlgorithmMismatch,
                "alg \(algorithm.rawValue) does not fit the certificate")
        }
        let check = COSESignatureVerifier(algorithm: algorithm, material: key)
        guard check.isValid(signature: signature, over: first, second) else {
            throw StatementRefusal(.attestationSignatureInvalid, "not by the certificate")
        }
    }

    /// The key that the certificate certifies is the credential's own.
    func requireCredentialKey(of leaf: AttestationCertificate) throws(StatementRefusal) {
        let key = KeyMaterial(leaf, for: credentialKey.algorithm)
        guard let key, key.isSame(as: credentialKey.material) else {
            throw StatementRefusal(
                .attestationKeyMismatch, "the certificate is of another key than the credential")
        }
    }
}
