// SPDX-License-Identifier: Apache-2.0
import CBOR
import Primitives

/// The input of the verification procedure of an attestation statement format.
struct AttestationEvidence {
    /// `attStmt`.
    var statement: CBORValue
    let authenticatorData: AuthenticatorData
    let credential: AttestedCredentialData
    let credentialKey: COSEPublicKey
    /// SHA-256 of the client data.
    let clientDataHash: [UInt8]
    /// The relying party's settings for single formats.
    let policy: AttestationPolicy
    let algorithms: AcceptedAlgorithms
    let now: Timestamp

    /// Returns the member of the statement with that name.
    func member(_ name: String) -> CBORValue? { statement[name] }

    /// Returns a byte string of the statement, which must not be empty.
    func bytes(_ name: String) throws(StatementRefusal) -> ArraySlice<UInt8> {
        guard let bytes = member(name)?.byteString, !bytes.isEmpty else {
            throw StatementRefusal(
                .attestationStatementMalformed, "\(name) is not a byte string or empty")
        }
        return bytes
    }

    /// Returns a text of the statement, which must not be empty.
    func text(_ name: String) throws(StatementRefusal) -> String {
        guard let text = member(name)?.textString, !text.isEmpty else {
            throw StatementRefusal(.attestationStatementMalformed, "\(name) is not a text or empty")
        }
        return text
    }

    /// Checks the number of members of the statement.
    func requireMembers(_ count: Int) throws(StatementRefusal) {
        guard statement.entries?.count == count else {
            throw StatementRefusal(
                .attestationStatementMalformed, "a member is missing, or one is unknown")
        }
    }

    /// Returns `alg` as a number, even if it is unknown.
    func algorithmNumber() throws(StatementRefusal) -> Int64 {
        guard let number = member("alg")?.int64 else {
            throw StatementRefusal(.attestationStatementMalformed, "alg is not a number")
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

    /// Checks that the attestation certificate signed `first` followed by `second`.
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

    /// Checks that the certificate certifies the credential's key.
    func requireCredentialKey(of leaf: AttestationCertificate) throws(StatementRefusal) {
        let key = KeyMaterial(leaf, for: credentialKey.algorithm)
        guard let key, key.isSame(as: credentialKey.material) else {
            throw StatementRefusal(
                .attestationKeyMismatch, "the certificate is of another key than the credential")
        }
    }
}
