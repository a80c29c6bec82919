// SPDX-License-Identifier: Apache-2.0

/// A reader of the members of a JSON object. Every error names the member, what it is, and what
/// would be right.
///
///     let reader = JSONReader(object) { RequestError(.malformed, $0.description) }
///     let name = try reader.required("name", .string(1...64))
///     let isActive = try reader.optional("active", .bool) ?? true
///     try reader.finish()
///
/// A copy of a reader records the members that were read together with the original.
package struct JSONReader<Failure: Error> {
    package let object: JSONObject
    /// The path of the object, for errors: `options.user`; empty for the outermost object.
    package let path: String
    private let ignoresNull: Bool
    private let failure: (JSONMemberError) -> Failure
    private let seen = SeenNames()

    /// Creates a reader that throws what `failure` makes of an error.
    ///
    /// - Parameter ignoresNull: Whether a member that is `null` counts as absent.
    package init(
        _ object: JSONObject, at path: String = "", ignoresNull: Bool = false,
        failure: @escaping (JSONMemberError) -> Failure
    ) {
        self.object = object
        self.path = path
        self.ignoresNull = ignoresNull
        self.failure = failure
    }

    /// Returns the member, which must exist.
    package func required<Value>(
        _ name: String, _ form: JSONForm<Value>
    ) throws(Failure) -> Value {
        guard let value = try optional(name, form) else {
            throw error(name, .missing, form.expected)
        }
        return value
    }

    /// Returns the member, or `nil` if it is absent.
    package func optional<Value>(
        _ name: String, _ form: JSONForm<Value>
    ) throws(Failure) -> Value? {
        guard let member = member(name) else { return nil }
        guard let value = form.read(member) else { throw malformed(name, form.expected) }
        return value
    }

    /// Throws if the object has a member that was not read.
    package func finish() throws(Failure) {
        for name in object.names where !seen.contains(name) {
            let hint = SpellingSuggestion.hint(for: name, among: seen.names)
            throw error(String(name.prefix(64)), .unknown, hint)
        }
    }

    /// Returns the error for a member whose value the caller does not accept.
    package func malformed(_ name: String, _ expected: String) -> Failure {
        error(name, .malformed(JSONMemberError.kind(of: object[name])), expected)
    }

    private func error(
        _ name: String, _ reason: JSONMemberError.Reason, _ expected: String
    ) -> Failure {
        failure(JSONMemberError(member: pathOf(name), reason: reason, expected: expected))
    }

    private func member(_ name: String) -> JSONValue? {
        seen.insert(name)
        let value = object[name]
        return ignoresNull && value == .null ? nil : value
    }

    private func pathOf(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}

// MARK: Objects in objects

extension JSONReader {
    /// Returns a reader of the member, which must be an object.
    package func object(_ name: String) throws(Failure) -> JSONReader {
        reader(of: try required(name, .object), name)
    }

    /// Returns a reader of the member, or `nil` if it is absent.
    package func optionalObject(_ name: String) throws(Failure) -> JSONReader? {
        try optional(name, .object).map { reader(of: $0, name) }
    }

    /// Returns readers of the elements of the member, which must be an array of objects.
    package func objects(
        _ name: String, atMost limit: Int = .max
    ) throws(Failure) -> [JSONReader] {
        try required(name, .list(of: .object, atMost: limit)).map { reader(of: $0, name) }
    }

    /// Returns readers of the elements of the member, or `nil` if it is absent.
    package func optionalObjects(
        _ name: String, atMost limit: Int = .max
    ) throws(Failure) -> [JSONReader]? {
        try optional(name, .list(of: .object, atMost: limit))?.map { reader(of: $0, name) }
    }

    private func reader(of object: JSONObject, _ name: String) -> JSONReader {
        JSONReader(object, at: pathOf(name), ignoresNull: ignoresNull, failure: failure)
    }
}

/// The names of the members that were read.
private final class SeenNames {
    private(set) var names: [String] = []

    func insert(_ name: String) { names.append(name) }

    func contains(_ name: String) -> Bool { names.contains { $0.hasSameBytes(as: name) } }
}
