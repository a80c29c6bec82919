// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// The factors of a session in one column: `MILLISECONDS;METHOD+METHOD;CLASS;CREDENTIAL` each,
/// separated by one space. Sessions are read with every page and every silent sign-in, so the
/// format can be parsed in one pass.
struct FactorText: ColumnForm {
    func read(_ row: inout SQLRow) throws -> [AuthenticationFactor] { try Self.decode(row.text()) }
    func sqlValue(_ value: [AuthenticationFactor]) -> SQLValue { Self.encode(value).sqlValue }

    static func encode(_ factors: [AuthenticationFactor]) -> String {
        factors.map { factor in
            [
                String(factor.at.milliseconds), factor.methods.joined(separator: "+"),
                factor.contextClass, factor.credential?.description ?? "",
            ].joined(separator: ";")
        }.joined(separator: " ")
    }

    static func decode(_ text: String) throws -> [AuthenticationFactor] {
        try text.split(separator: " ").map { word in
            let parts = word.split(separator: ";", omittingEmptySubsequences: false)
            guard parts.count == 4, let time = Int64(parts[0]) else {
                throw StorageError(.corrupt, "a session's factor cannot be read")
            }
            return AuthenticationFactor(
                at: Timestamp(milliseconds: time),
                methods: parts[1].split(separator: "+").map(String.init),
                contextClass: String(parts[2]), credential: Identifier(String(parts[3])))
        }
    }
}

extension [AuthenticationFactor] {
    /// Returns the methods without duplicates, in their order, separated by spaces.
    var methods: String {
        var seen: Set<String> = []
        return flatMap(\.methods).filter { seen.insert($0).inserted }.joined(separator: " ")
    }
}
