// SPDX-License-Identifier: Apache-2.0

/// The permitted use that a JWK states (RFC 7517 section 4).
package struct KeyParameters: Sendable, Equatable {
    /// `kid`: a string to look the key up by, and nothing else.
    package var keyID: String?
    /// `use`: `sig`, `enc`, or a value that permits neither.
    package var use: String?
    /// `key_ops`, each once.
    package var operations: [String]?
    /// `alg`: the one algorithm that the key is for.
    package var algorithm: String?

    package init(
        keyID: String? = nil, use: String? = nil, operations: [String]? = nil,
        algorithm: String? = nil
    ) {
        self.keyID = keyID
        self.use = use
        self.operations = operations
        self.algorithm = algorithm
    }

    init(_ reader: JSONReader<JOSEError>) throws(JOSEError) {
        keyID = try reader.optional("kid", .keyParameter)
        use = try reader.optional("use", .keyParameter)
        algorithm = try reader.optional("alg", .keyParameter)
        operations = try reader.optional(
            "key_ops",
            .strings.map("an array of different strings") {
                Set($0).count == $0.count ? $0 : nil
            })
        try checkConsistency()
    }

    /// Section 4.3: if both `use` and `key_ops` are present, they must be consistent.
    private func checkConsistency() throws(JOSEError) {
        guard let use, let operations else { return }
        let signing = ["sign", "verify"]
        let encrypting = [
            "encrypt", "decrypt", "wrapKey", "unwrapKey", "deriveKey", "deriveBits",
        ]
        let permitted = use == "sig" ? signing : use == "enc" ? encrypting : operations
        guard operations.allSatisfy(permitted.contains) else {
            throw JOSEError(.keyMalformed, "use and key_ops contradict one another")
        }
    }

    /// Whether the key may be used in that way at all.
    func permits(use wanted: String, operations anyOf: [String]) -> Bool {
        if let use, use != wanted { return false }
        if let operations, !operations.contains(where: anyOf.contains) { return false }
        return true
    }

    var members: [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(.init(name: name, value: value)) }
        }
        add("kid", keyID.map(JSONValue.string))
        add("use", use.map(JSONValue.string))
        add("key_ops", operations.map { .array($0.map(JSONValue.string)) })
        add("alg", algorithm.map(JSONValue.string))
        return members
    }
}

extension JSONForm<String> {
    /// `kty`, `crv` or a parameter that is a string.
    static var keyParameter: JSONForm { .string(0...1024) }
}
