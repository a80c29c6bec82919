// SPDX-License-Identifier: Apache-2.0

/// The operation that a touch or a PIN authorizes. Every prompt names it, so that a touch for one
/// operation cannot authorize another.
package enum SecurityKeyOperation: Sendable, Equatable {
    /// `account`: the user name that the site gave.
    case register(relyingParty: String, account: String)
    case signIn(relyingParty: String)
    case chooseKey
    case setPIN
    case changePIN
    case reset
    case listCredentials
    case deleteCredential(relyingParty: String, account: String)
    case updateCredential(relyingParty: String, account: String)
    case manageFingerprints
    case enrollFingerprint
    case removeFingerprint(String)
    case readLargeBlob(relyingParty: String)
    case writeLargeBlob(relyingParty: String)
    case changeConfiguration(String)

    /// The completion of "Touch your security key to …".
    package var purpose: String {
        switch self {
        case .register(let relyingParty, let account):
            "register it at \(relyingParty) for \(account)"
        case .signIn(let relyingParty): "sign in at \(relyingParty)"
        case .chooseKey: "use this one"
        case .setPIN: "set its PIN"
        case .changePIN: "change its PIN"
        case .reset: "ERASE everything on it"
        case .listCredentials: "list the credentials on it"
        case .deleteCredential(let relyingParty, let account):
            "DELETE the credential of \(account) at \(relyingParty)"
        case .updateCredential(let relyingParty, let account):
            "rename the credential of \(account) at \(relyingParty)"
        case .manageFingerprints: "list its fingerprints"
        case .enrollFingerprint: "enrol a finger"
        case .removeFingerprint(let name): "REMOVE the fingerprint \(name)"
        case .readLargeBlob(let relyingParty): "read the data of \(relyingParty) on it"
        case .writeLargeBlob(let relyingParty): "write data of \(relyingParty) to it"
        case .changeConfiguration(let change): change
        }
    }
}
