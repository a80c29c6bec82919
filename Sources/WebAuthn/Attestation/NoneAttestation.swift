// SPDX-License-Identifier: Apache-2.0

/// Section 8.7: the statement is the empty map, and says nothing.
enum NoneAttestation {
    static func verify(
        _ evidence: AttestationEvidence
    ) throws(StatementRefusal) -> VerifiedStatement {
        guard evidence.statement.isEmpty else {
            throw StatementRefusal(.attestationStatementMalformed, "none with a statement")
        }
        return VerifiedStatement(type: .none, trustPath: [])
    }
}
