// SPDX-License-Identifier: Apache-2.0
import JOSE
import WebAuthn

/// What a public-key credential's `details` column holds.
package struct PasskeyDetails: Sendable, Equatable {
    package var transports: [String] = []
    /// Which model the authenticator is; all zero when it does not say.
    package var aaguid = ""
    package var format = ""
    package var algorithm: Int64 = 0
    package var isBackupEligible: Bool?
    package var isBackedUp = false

    init(_ registration: VerifiedRegistration) {
        transports = registration.transports
        aaguid = registration.aaguid.description
        format = registration.format
        algorithm = registration.algorithm.rawValue
        isBackupEligible = registration.isBackupEligible
        isBackedUp = registration.isBackedUp
    }

    package init(_ json: String) {
        let object = try? JSONParser.parseObject(Array(json.utf8), maximumBytes: 16_384)
        transports = object?["transports"]?.strings ?? []
        aaguid = object?["aaguid"]?.string ?? ""
        format = object?["fmt"]?.string ?? ""
        algorithm = object?["alg"]?.integer ?? 0
        isBackupEligible = object?["backup_eligible"]?.bool
        isBackedUp = object?["backed_up"]?.bool ?? false
    }

    package var json: String {
        var writer = JSONWriter()
        writer.member("transports", transports)
        writer.member("aaguid", aaguid)
        writer.member("fmt", format)
        writer.member("alg", algorithm)
        if let isBackupEligible { writer.member("backup_eligible", isBackupEligible) }
        writer.member("backed_up", isBackedUp)
        return String(decoding: writer.finish(), as: UTF8.self)
    }
}
