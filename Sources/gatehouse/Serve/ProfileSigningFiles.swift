// SPDX-License-Identifier: Apache-2.0
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
    init(_ files: ServeConfiguration.CertificateFiles) throws {
        self.files = files
        signer = Mutex(try Self.load(files))
    }

    /// Reads the files again. When they are not good, it throws and the old ones stay.
    func reload() throws {
        let fresh = try Self.load(files)
        signer.withLock { $0 = fresh }
    }

    /// The signed profile, at that time.
    @Sendable func sign(_ profile: [UInt8], at time: Timestamp) throws -> [UInt8] {
        try signer.withLock { $0 }.sign(profile, at: time)
    }

    static func load(_ files: ServeConfiguration.CertificateFiles) throws -> ProfileSigner {
        let (certificate, key) = (try content(files.certificate), try content(files.key))
        do throws(ProfileSigningError) {
            return try ProfileSigner(certificates: certificate, key: Secret(key))
        } catch {
            let place = if case .noCertificate = error { files.certificate } else { files.key }
            throw CommandError("\(place): \(error.description)", code: .badInput)
        }
    }

    private static func content(_ path: String) throws -> [UInt8] {
        guard let content = try SecretFile.read(path) else {
            throw CommandError("\(path) is not there", code: .badInput)
        }
        return content
    }
}
