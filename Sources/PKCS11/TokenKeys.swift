// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// P-256 keys on one token that never leave it and require its PIN.
///
/// Each call opens a session, logs in, and logs out again; a token that was removed and inserted
/// again is found. All calls block.
package struct TokenKeys: Sendable {
    private let module: String
    private let label: String?
    private let pin: Secret
    private let caution: PINCaution

    /// - Parameters:
    ///   - module: Absolute path of the shared library.
    ///   - label: Of the token; `nil` for the only one that is there.
    package init(module: String, label: String?, pin: Secret, caution: PINCaution = .none) {
        (self.module, self.label, self.pin) = (module, label, pin)
        self.caution = caution
    }

    /// - Parameters:
    ///   - id: `CKA_ID`, by which the key is found again.
    ///   - name: `CKA_LABEL`, for people.
    /// - Returns: x and y, 32 bytes each.
    package func makeKey(
        for use: TokenKeyUse, id: [UInt8], name: String
    ) throws(PKCS11Error) -> [UInt8] {
        try session { (session) throws(PKCS11Error) in
            try session.makeKey(for: use, id: id, label: name)
        }
    }

    /// ECDSA over a digest: r and s, 32 bytes each.
    package func sign(digest: [UInt8], with id: [UInt8]) throws(PKCS11Error) -> [UInt8] {
        try session { (session) throws(PKCS11Error) in
            let signature = try session.sign(
                digest, with: try session.privateKey(id), Cryptoki.Mechanism.ecdsa,
                again: .pin(pin))
            guard signature.count == 64 else { throw .malformed("a signature") }
            return signature
        }
    }

    /// Returns the key agreement of the key with a point: the X coordinate, 32 bytes.
    ///
    /// - Parameter point: x and y, 32 bytes each.
    package func sharedSecret(
        of id: [UInt8], with point: [UInt8]
    ) throws(PKCS11Error) -> Secret {
        try session { (session) throws(PKCS11Error) in
            try session.sharedSecret(try session.privateKey(id), with: [0x04] + point)
        }
    }

    /// Deletes both halves of a key; has no effect if they do not exist.
    package func destroy(_ id: [UInt8]) throws(PKCS11Error) {
        try session { (session) throws(PKCS11Error) in
            for kind in [Cryptoki.ObjectClass.privateKey, Cryptoki.ObjectClass.publicKey] {
                let found = try session.objects([
                    (Cryptoki.AttributeType.objectClass, .number(kind)),
                    (Cryptoki.AttributeType.id, .bytes(id)),
                ])
                for object in found { try session.destroy(object) }
            }
        }
    }

    /// Verifies the PIN.
    package func logIn() throws(PKCS11Error) { try session { (_) throws(PKCS11Error) in } }

    private func session<Value: Sendable>(
        _ body: (TokenSession) throws(PKCS11Error) -> Value
    ) throws(PKCS11Error) -> Value {
        try PKCS11Module.load(module).withSession(
            { (tokens) throws(PKCS11Error) in try chosen(tokens) }, login: .pin(pin), body)
    }

    /// Returns the only token with that label: with several, the choice is ambiguous.
    private func chosen(_ tokens: [Token]) throws(PKCS11Error) -> Token {
        let fitting = tokens.filter { $0.isInitialized && (label == nil || $0.label == label) }
        guard let token = fitting.first, fitting.count == 1 else {
            let name = label.map { "a token \($0)" } ?? "a token"
            throw .noToken(
                fitting.isEmpty ? "\(name) is not there" : "\(name) is there more than once")
        }
        guard caution.permits(token.pinState) else {
            throw token.pinState == .locked ? .pinLocked : .pinWithheld(token.pinState)
        }
        return token
    }
}
