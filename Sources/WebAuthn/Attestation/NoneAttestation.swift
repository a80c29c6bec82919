// SPDX-License-Identifier: Apache-2.0
import CBOR

/// Section 8.7: the statement is the empty map and has no content.
enum NoneAttestation {
    static func verify(
        _ evidence: AttestationEvidence
    ) throws(StatementRefusal) -> VerifiedStatement {
        guard evidence.statement.entries?.isEmpty == true else {
            throw StatementRefusal(.attestationStatementMalformed, "none with a statement")
        }
        return VerifiedStatement(type: .none, trustPath: [])
    }
}
