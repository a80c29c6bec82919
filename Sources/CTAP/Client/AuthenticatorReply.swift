// SPDX-License-Identifier: Apache-2.0
import WebAuthn

/// The checks that the replies of both ceremonies share.
enum AuthenticatorReply {
    static func read(
        _ bytes: [UInt8], relyingPartyIdHash: [UInt8], mustBePresent: Bool, mustBeVerified: Bool
    ) throws(SecurityKeyError) -> AuthenticatorData {
        let data: AuthenticatorData
        do { data = try AuthenticatorData(bytes[...]) } catch {
            throw .untrustworthyReply("malformed authenticator data")
        }
        guard data.rpIdHash.elementsEqual(relyingPartyIdHash) else {
            throw .untrustworthyReply("data for another relying party")
        }
        guard !mustBePresent || data.flags.contains(.userPresent) else {
            throw .untrustworthyReply("user presence is missing")
        }
        guard !mustBeVerified || data.flags.contains(.userVerified) else {
            throw .untrustworthyReply("user verification is missing")
        }
        return data
    }
}
