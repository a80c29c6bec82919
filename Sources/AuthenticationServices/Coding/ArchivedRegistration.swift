// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A registration as its archive has it.
///
/// What extensions gave is left out: derived secrets have no place in a file, and the rest is
/// worth nothing without its ceremony.
struct ArchivedRegistration {
    let clientData: Data
    let credentialID: Data
    let attestationObject: Data?
    let transports: [String]

    init?(_ coder: NSCoder) {
        guard let clientData = coder.bytes(.clientData), let id = coder.bytes(.credentialID) else {
            return nil
        }
        (self.clientData, credentialID) = (clientData, id)
        attestationObject = coder.bytes(.attestationObject)
        transports = coder.texts(.transports)
    }

    static func write(
        _ registration: some ASAuthorizationPublicKeyCredentialRegistration,
        transports: [String], to coder: NSCoder
    ) {
        coder.write(registration.rawClientDataJSON, .clientData)
        coder.write(registration.credentialID, .credentialID)
        if let object = registration.rawAttestationObject {
            coder.write(object, .attestationObject)
        }
        coder.write(transports, .transports)
    }
}
