// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives
import Storage

/// The identity of a person at an issuer: `iss` and `sub`, compared by bytes.
struct FederatedIdentity: Sendable, Equatable {
    let issuer: String
    let subject: String

    /// The external ID of the credential: an unambiguous hash of both.
    var externalID: [UInt8] {
        let length = withUnsafeBytes(of: UInt32(clamping: issuer.utf8.count).bigEndian) {
            Array($0)
        }
        return Array(
            SHA256.hash(data: length + Array(issuer.utf8) + Array(subject.utf8)))
    }

    var details: JSONValue { ["iss": .string(issuer), "sub": .string(subject)] }

    func credential(of person: Person, in context: CeremonyContext) -> Credential {
        Credential(
            id: context.newIdentifier(), project: person.project, person: person.id,
            kind: .federatedIdentity, externalID: externalID, details: details.text,
            label: issuer, createdAt: context.now)
    }
}
