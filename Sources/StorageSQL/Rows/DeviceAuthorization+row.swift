// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension DeviceAuthorization {
    static let columns = Columns(
        """
        device_code_hash user_code_hash project_id client_id scope state last_polled_at \
        poll_interval expires_at device
        """)

    var values: [SQLValue] {
        [
            deviceCodeHash.sqlValue, userCodeHash.sqlValue, project.sqlValue, client.sqlValue,
            scope.sqlValue, state.rawValue.sqlValue, lastPolledAt.sqlValue, interval.sqlValue,
            expiresAt.sqlValue, device.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            deviceCodeHash: try row.bytes(), userCodeHash: try row.bytes(),
            project: try row.identifier(), client: try row.identifier(), scope: try row.text(),
            state: try row.word(), lastPolledAt: try row.optionalTime(),
            interval: try row.integer(), expiresAt: try row.time(), device: try row.text())
    }
}
