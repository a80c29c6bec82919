// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Records with default values, into which a document is parsed.
extension Project {
    static let blank = Project(
        id: .zero, name: "", environment: .production, createdAt: Timestamp(milliseconds: 0))
}

extension Client {
    static let blank = Client(
        id: .zero, project: .zero, clientID: "", metadata: ClientMetadata(),
        createdAt: Timestamp(milliseconds: 0))
}

extension Person {
    static let blank = Person(
        id: .zero, project: .zero, username: "", createdAt: Timestamp(milliseconds: 0))
}

extension IssuerKey {
    static let blank = IssuerKey(
        id: .zero, project: .zero, kind: .federation, issuer: "", kid: "", algorithm: "",
        publicJWK: "", createdAt: Timestamp(milliseconds: 0))
}

extension EntitlementSet {
    static let blank = EntitlementSet(
        project: .zero, name: "", entitlements: "{}", createdAt: Timestamp(milliseconds: 0))
}

extension EntitlementSequence {
    static let blank = EntitlementSequence(
        project: .zero, name: "", steps: [], createdAt: Timestamp(milliseconds: 0))
}

extension UpstreamProvider {
    static let blank = UpstreamProvider(
        id: .zero, project: .zero, name: "", kind: .oidc, createdAt: Timestamp(milliseconds: 0))
}

extension Identifier {
    /// An identifier of no record.
    static var zero: Identifier {
        Identifier(now: Timestamp(milliseconds: 0), random: Zeros())
    }
}

private struct Zeros: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
