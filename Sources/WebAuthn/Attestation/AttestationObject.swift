// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// An attestation object (section 6.5.4), taken apart but not judged: step 7.1.13.
package struct AttestationObject: Sendable {
    /// The attestation statement format identifier, `fmt`.
    package let format: String
    package let authenticatorData: AuthenticatorData
    /// The entries of `attStmt`.
    package let statement: [CBOREntry]

    package init(cbor bytes: [UInt8]) throws(AttestationObjectError) {
        let object: CBORValue
        do { object = try CBORValue.decode(bytes, profile: .ctap2) } catch { throw .cbor(error) }
        guard let entries = object.entries else { throw .member("the object") }
        guard let format = object["fmt"]?.textString else { throw .member("fmt") }
        guard let statement = object["attStmt"]?.entries else { throw .member("attStmt") }
        guard let data = object["authData"]?.byteString else { throw .member("authData") }
        guard entries.count == 3 else { throw .member("an unknown member") }
        self.format = format
        self.statement = statement
        do { authenticatorData = try AuthenticatorData(data) } catch {
            throw .authenticatorData(error)
        }
    }
}

/// Why bytes are not an attestation object.
package enum AttestationObjectError: Error, Sendable, Equatable {
    case cbor(CBORError)
    /// What is missing, of the wrong type, or too much.
    case member(String)
    case authenticatorData(AuthenticatorDataError)
}
