// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
import Storage

/// The unsealed keys of a project.
///
/// For each ES256 key there is an ``AssertionKey``, which signs the assertions of the project as a
/// client of other providers. It has the same state as its signing key.
///
/// An object, because ``ExpiringCache`` copies its values several times for each request.
package final class ProjectKeys: Sendable {
    /// One for each algorithm.
    private let signers: [JWSAlgorithm: JOSESigner]
    /// The signer of client assertions; `nil` without an active ES256 key.
    let assertionSigner: JOSESigner?
    /// The published keys that sign tokens: next, active and retiring.
    package let published: JWKSet
    /// Those keys, and the public parts of the assertion keys, as a JWK set. There is at least one.
    package let document: [UInt8]
    /// The keys as they are stored.
    let records: [SigningKey]
    /// The time at which the first of the rotated keys ends.
    let end: Timestamp

    /// - Throws: if a key is sealed under another master secret, or is damaged.
    init(_ stored: [SigningKey], secrets: DerivedKeys, now: Timestamp) throws {
        let keys = stored.filter { !$0.isPast(now) }
        records = keys
        end = keys.compactMap(\.end).min() ?? Timestamp(milliseconds: .max)
        var signers: [JWSAlgorithm: JOSESigner] = [:]
        var assertionKeys: [JSONWebKey] = []
        var assertionSigner: JOSESigner?
        for key in keys where key.state == .active || key.algorithm == "ES256" {
            let sealed = try secrets.open(
                key.sealedPrivateKey, context: Self.context(kid: key.kid, project: key.project))
            if key.algorithm == "ES256" {
                let pair = try AssertionKey.derived(from: sealed)
                assertionKeys.append(.publicKey(pair.publicKey))
                if key.state == .active {
                    assertionSigner = try JOSESigner(pair, algorithm: .es256)
                }
            }
            guard key.state == .active else { continue }
            guard let algorithm = JWSAlgorithm(exactly: key.algorithm),
                let privateKey = try JSONWebKey(bytes: sealed.reveal()).privateKey
            else { throw KeyRingError.unreadableKey(kid: key.kid) }
            signers[algorithm] = try JOSESigner(privateKey, algorithm: algorithm)
        }
        self.signers = signers
        self.assertionSigner = assertionSigner
        published = try JWKSet(keys.map { try JSONWebKey(bytes: Array($0.publicJWK.utf8)) })
        document = try JWKSet(published.keys + assertionKeys).publicJSON.bytes
    }

    func signer(_ algorithm: JWSAlgorithm) -> JOSESigner? { signers[algorithm] }

    /// The context to which a private key is sealed. It can only be opened for this project and
    /// kid.
    static func context(kid: String, project: Identifier<Project>) -> String {
        "signing-key/\(project)/\(kid)"
    }
}

package enum KeyRingError: Error, Equatable {
    case unreadableKey(kid: String)
    /// Another process has saved keys of the algorithm in a state that does not allow the change.
    case cannotMakeKey(algorithm: String)
}
