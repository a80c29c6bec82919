// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The keys in the archives of credentials, descriptors and parameters.
enum ArchiveKey: String {
    case clientData = "rawClientDataJSON"
    case credentialID
    case attestationObject = "rawAttestationObject"
    case authenticatorData = "rawAuthenticatorData"
    case userID
    case signature
    case appID
    case transports
    case algorithm
}

extension NSCoder {
    /// The maximum number of transports in an archive that this module writes.
    private static let maximumTexts = 32

    func bytes(_ key: ArchiveKey) -> Data? {
        decodeObject(of: NSData.self, forKey: key.rawValue).map { Data(referencing: $0) }
    }

    func texts(_ key: ArchiveKey) -> [String] {
        let found = decodeObject(of: [NSArray.self, NSString.self], forKey: key.rawValue)
        return ((found as? [String]) ?? []).prefix(Self.maximumTexts).map { $0 }
    }

    func write(_ bytes: Data, _ key: ArchiveKey) {
        encode(bytes as NSData, forKey: key.rawValue)
    }

    func write(_ texts: [String], _ key: ArchiveKey) {
        encode(texts.map { $0 as NSString } as NSArray, forKey: key.rawValue)
    }
}
