// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Credential {
    static let columns = Columns(
        """
        id project_id person_id kind external_id public_part details label sign_count created_at \
        last_used_at assurance upstream_id installation_id awaits_approval
        """)

    var values: [SQLValue] {
        [
            id.sqlValue, project.sqlValue, person.sqlValue, kind.rawValue.sqlValue,
            externalID.sqlValue, publicPart.sqlValue, details.sqlValue, label.sqlValue,
            signCount.sqlValue, createdAt.sqlValue, lastUsedAt.sqlValue,
            assurance.sqlValue, upstream.sqlValue, installation.sqlValue,
            awaitsApproval.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), person: try row.identifier(),
            kind: try row.word(), externalID: try row.bytes(), publicPart: try row.bytes(),
            details: try row.text(), label: try row.text(), signCount: try row.integer(),
            createdAt: try row.time(), lastUsedAt: try row.optionalTime())
        assurance = try row.text()
        upstream = try row.optionalIdentifier()
        installation = try row.optionalIdentifier()
        awaitsApproval = try row.flag()
    }
}
