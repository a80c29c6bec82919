// SPDX-License-Identifier: Apache-2.0
import CPostgreSQL
import Storage
import StorageSQL

/// A result in binary format. Type numbers: `pg_type.dat` of PostgreSQL, which never change.
struct PostgreSQLResult {
    private enum Kind { case flag, integer(Int), text, bytes }

    private let result: OpaquePointer?

    init(_ result: OpaquePointer?) { self.result = result }

    func rows() throws -> [SQLRow] {
        let kinds = try (0..<PQnfields(result)).map(kind)
        return try (0..<PQntuples(result)).map { row in
            SQLRow(
                try kinds.enumerated().map { try value(row, Int32($0.offset), $0.element) })
        }
    }

    private func kind(_ column: Int32) throws -> Kind {
        switch PQftype(result, column) {
        case 16: return .flag
        case 17: return .bytes
        case 20: return .integer(8)
        case 21: return .integer(2)
        case 23: return .integer(4)
        case 18, 19, 25, 1043: return .text
        case let other: throw StorageError(.corrupt, "a column has the type \(other)")
        }
    }

    private func value(_ row: Int32, _ column: Int32, _ kind: Kind) throws -> SQLValue {
        if PQgetisnull(result, row, column) != 0 { return .null }
        let count = Int(PQgetlength(result, row, column))
        let bytes = UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: count)
        switch kind {
        case .text: return .text(String(decoding: bytes, as: UTF8.self))
        case .bytes: return .bytes(Array(bytes))
        case .flag: return .integer(bytes.first == 1 ? 1 : 0)
        case .integer(let width):
            guard count == width else {
                throw StorageError(.corrupt, "an integer has \(count) bytes")
            }
            let sign: Int64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : -1
            return .integer(bytes.reduce(sign) { $0 << 8 | Int64($1) })
        }
    }
}
