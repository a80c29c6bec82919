// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives
package import Storage

/// The identity of a person at an issuer: `iss` and `sub`, compared by bytes.
package struct FederatedIdentity: Sendable, Equatable {
    package let issuer: String
    package let subject: String

    package init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// The external ID of the credential: an unambiguous hash of both.
    package var externalID: [UInt8] {
        let length = withUnsafeBytes(of: UInt32(clamping: issuer.utf8.count).bigEndian) {
            Array($0)
        }
        return Array(
            SHA256.hash(data: length + Array(issuer.utf8) + Array(subject.utf8)))
    }

    var details: JSONValue { ["iss": .string(issuer), "sub": .string(subject)] }

    package func credential(of person: Person, in context: CeremonyContext) -> Credential {
        Credential(
            id: context.newIdentifier(), project: person.project, person: person.id,
            kind: .federatedIdentity, externalID: externalID, details: details.text,
            label: issuer, createdAt: context.now)
    }
}
