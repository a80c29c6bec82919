// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// An attestation object (section 6.5.4), decoded but not verified: step 7.1.13.
package struct AttestationObject: Sendable {
    /// The attestation statement format identifier, `fmt`.
    package let format: String
    package let authenticatorData: AuthenticatorData
    /// `attStmt`: a map, or an array when the format is compound (section 8.9).
    package let statement: CBORValue

    /// CTAP2's canonical form with a larger depth for compound statements, where `x5c` is six
    /// levels deep.
    static let profile: CBORProfile = {
        var profile = CBORProfile.ctap2
        profile.maximumDepth = 6
        return profile
    }()

    package init(cbor bytes: [UInt8]) throws(AttestationObjectError) {
        let object: CBORValue
        do { object = try CBORValue.decode(bytes, profile: Self.profile) } catch {
            throw .cbor(error)
        }
        guard let entries = object.entries else { throw .member("the object") }
        guard let format = object["fmt"]?.textString else { throw .member("fmt") }
        guard let statement = object["attStmt"],
            format == AttestationFormat.compound.rawValue
                ? statement.items != nil : statement.entries != nil
        else { throw .member("attStmt") }
        guard let data = object["authData"]?.byteString else { throw .member("authData") }
        guard entries.count == 3 else { throw .member("an unknown member") }
        self.format = format
        self.statement = statement
        do { authenticatorData = try AuthenticatorData(data) } catch {
            throw .authenticatorData(error)
        }
    }
}

/// An error of decoding an attestation object.
package enum AttestationObjectError: Error, Sendable, Equatable {
    case cbor(CBORError)
    /// A member is missing, of the wrong type or unknown.
    case member(String)
    case authenticatorData(AuthenticatorDataError)
}
