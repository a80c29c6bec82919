// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A sign-in as its archive has it; as with registrations, without extensions.
struct ArchivedAssertion {
    let clientData: Data
    let credentialID: Data
    let authenticatorData: Data
    let userID: Data
    let signature: Data
    let appID: Bool

    init?(_ coder: NSCoder) {
        guard let clientData = coder.bytes(.clientData), let id = coder.bytes(.credentialID),
            let authenticatorData = coder.bytes(.authenticatorData),
            let signature = coder.bytes(.signature)
        else { return nil }
        (self.clientData, credentialID) = (clientData, id)
        (self.authenticatorData, self.signature) = (authenticatorData, signature)
        userID = coder.bytes(.userID) ?? Data()
        appID = coder.decodeBool(forKey: ArchiveKey.appID.rawValue)
    }

    static func write(
        _ assertion: some ASAuthorizationPublicKeyCredentialAssertion, appID: Bool,
        to coder: NSCoder
    ) {
        coder.write(assertion.rawClientDataJSON, .clientData)
        coder.write(assertion.credentialID, .credentialID)
        coder.write(assertion.rawAuthenticatorData, .authenticatorData)
        coder.write(assertion.userID, .userID)
        coder.write(assertion.signature, .signature)
        coder.encode(appID, forKey: ArchiveKey.appID.rawValue)
    }
}
