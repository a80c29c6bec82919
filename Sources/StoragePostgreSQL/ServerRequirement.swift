// SPDX-License-Identifier: Apache-2.0
import CPostgreSQL

/// What `target_session_attrs` of a connection requires. libpq checks it once, and a server can
/// become read-only later. It reports that with the next response (PostgreSQL documentation,
/// section 55.2.7).
struct ServerRequirement {
    static let none = ServerRequirement(parameters: [])

    /// The reported parameters that must be off.
    private let parameters: [String]

    private init(parameters: [String]) { self.parameters = parameters }

    init(of connection: OpaquePointer?) {
        parameters =
            switch Self.attributes(of: connection) {
            case "read-write": ["default_transaction_read_only", "in_hot_standby"]
            case "primary": ["in_hot_standby"]
            default: []
            }
    }

    /// The value after the URL, which can set it, was read.
    private static func attributes(of connection: OpaquePointer?) -> String? {
        guard let options = PQconninfo(connection) else { return nil }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if String(cString: keyword) == "target_session_attrs" {
                return option.pointee.val.map { String(cString: $0) }
            }
            option += 1
        }
        return nil
    }

    func isViolated(by connection: OpaquePointer?) -> Bool {
        parameters.contains { parameter in
            PQparameterStatus(connection, parameter).map { String(cString: $0) } == "on"
        }
    }
}
