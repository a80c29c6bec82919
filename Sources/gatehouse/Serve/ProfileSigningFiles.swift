// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Primitives
import SingleSignOn
import Synchronization

/// The certificate chain and key that sign profiles, replaceable while the server runs.
final class ProfileSigningFiles: Sendable {
    private let files: ServeConfiguration.CertificateFiles
    private let signer: Mutex<ProfileSigner>

    /// Reads both files.
    ///
    /// - Throws: ``CommandError`` when they cannot be read or do not belong together.
    init(_ files: ServeConfiguration.CertificateFiles) throws(CommandError) {
        self.files = files
        signer = Mutex(try Self.load(files))
    }

    /// Reads the files again. When they are not good, it throws and the old ones stay.
    func reload() throws(CommandError) {
        let fresh = try Self.load(files)
        signer.withLock { $0 = fresh }
    }

    /// The signed profile, at that time.
    @Sendable func sign(_ profile: [UInt8], at time: Timestamp) throws -> [UInt8] {
        try signer.withLock { $0 }.sign(profile, at: time)
    }

    static func load(
        _ files: ServeConfiguration.CertificateFiles
    ) throws(CommandError) -> ProfileSigner {
        let certificate = try SettingFile.read(files.certificate, of: "profile-certificate")
        let key = try SettingFile.read(files.key, of: "profile-key")
        do throws(ProfileSigningError) {
            return try ProfileSigner(certificates: certificate, key: Secret(key))
        } catch {
            let (place, setting) =
                if case .noCertificate = error { (files.certificate, "profile-certificate") } else {
                    (files.key, "profile-key")
                }
            throw CommandError(
                "\(place): \(error.description)", code: .badInput, setting: setting)
        }
    }
}
