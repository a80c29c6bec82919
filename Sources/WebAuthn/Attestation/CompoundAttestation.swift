// SPDX-License-Identifier: Apache-2.0
import CBOR

/// Section 8.9, compound attestation: several statements about one credential.
enum CompoundAttestation {
    /// The maximum number of statements.
    static let maximumStatements = 8

    static func verify(
        _ evidence: AttestationEvidence
    ) throws(StatementRefusal) -> VerifiedStatement {
        let items = evidence.statement.items ?? []
        guard items.count <= maximumStatements else {
            throw StatementRefusal(.attestationStatementMalformed, "too many statements")
        }
        // The syntax of all statements is checked first, so that a bad one is never ignored.
        var statements: [(AttestationFormat, CBORValue)] = []
        for item in items { statements.append(try statement(item)) }
        guard statements.count >= 2 else {
            throw StatementRefusal(
                .attestationCompoundTooFew, "\(statements.count) statements, not two or more")
        }
        return try verify(statements, evidence)
    }

    /// `{ fmt, attStmt }` of any format but this one.
    private static func statement(
        _ item: CBORValue
    ) throws(StatementRefusal) -> (AttestationFormat, CBORValue) {
        guard let entries = item.entries, entries.count == 2,
            let name = item["fmt"]?.textString, let statement = item["attStmt"]
        else {
            throw StatementRefusal(.attestationStatementMalformed, "no fmt with an attStmt")
        }
        guard let format = AttestationFormat(rawValue: name) else {
            throw StatementRefusal(.attestationFormatUnsupported, "fmt is \(name)")
        }
        guard format != .compound else {
            throw StatementRefusal(.attestationCompoundNested, "compound inside compound")
        }
        guard statement.entries != nil else {
            throw StatementRefusal(.attestationStatementMalformed, "attStmt is not a map")
        }
        return (format, statement)
    }

    private static func verify(
        _ statements: [(AttestationFormat, CBORValue)], _ evidence: AttestationEvidence
    ) throws(StatementRefusal) -> VerifiedStatement {
        var parts: [VerifiedStatement] = []
        var refusal: StatementRefusal?
        for (format, statement) in statements {
            var evidence = evidence
            evidence.statement = statement
            do { parts.append(try format.verify(evidence)) } catch {
                if evidence.policy.compoundRule == .all { throw error }
                refusal = refusal ?? error
            }
        }
        if parts.isEmpty, let refusal { throw refusal }
        // The trust evaluation decides which of them applies.
        return VerifiedStatement(
            type: parts[0].type, trustPath: parts[0].trustPath, parts: parts)
    }
}
