// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let storedSettings = StoredJSON<IssuerKeySettings>()

extension IssuerKey {
    static let columns = Columns(
        "id project_id kind issuer kid algorithm public_jwk settings created_at")

    func values() throws -> [SQLValue] {
        [
            id.sqlValue, project.sqlValue, kind.rawValue.sqlValue, issuer.sqlValue, kid.sqlValue,
            algorithm.sqlValue, publicJWK.sqlValue, try storedSettings.encode(settings).sqlValue,
            createdAt.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), kind: try row.word(),
            issuer: try row.text(), kid: try row.text(), algorithm: try row.text(),
            publicJWK: try row.text(), settings: try storedSettings.decode(row.text()),
            createdAt: try row.time())
    }
}
