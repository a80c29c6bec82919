// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import HTTPServer

/// The certificates and keys that a server shows and signs with, replaceable while it runs.
struct ServedFiles: Sendable {
    let tls: TLSIdentity?
    let profileSigning: ProfileSigningFiles?
    private let tlsFiles: ServeConfiguration.CertificateFiles?

    /// - Throws: ``CommandError`` with its setting, for a file that cannot be read or is of no use.
    init(_ configuration: ServeConfiguration) throws(CommandError) {
        tlsFiles = configuration.tls
        var identity: TLSIdentity?
        if let files = configuration.tls {
            identity = try Self.checked(files) { () throws(TLSIdentity.LoadError) in
                try TLSIdentity(.init(certificate: files.certificate, key: files.key))
            }
        }
        tls = identity
        var signing: ProfileSigningFiles?
        if let files = configuration.profileSigning { signing = try ProfileSigningFiles(files) }
        profileSigning = signing
    }

    /// Reads the files again. When they are not good, it throws and the old ones stay.
    func reload() throws(CommandError) {
        if let tls, let tlsFiles {
            try Self.checked(tlsFiles) { () throws(TLSIdentity.LoadError) in try tls.reload() }
        }
        try profileSigning?.reload()
    }

    private static func checked<Value>(
        _ files: ServeConfiguration.CertificateFiles,
        _ load: () throws(TLSIdentity.LoadError) -> Value
    ) throws(CommandError) -> Value {
        _ = try SettingFile.read(files.certificate, of: "tls-certificate")
        _ = try SettingFile.read(files.key, of: "tls-key")
        do throws(TLSIdentity.LoadError) {
            return try load()
        } catch {
            throw complaint(about: error, files)
        }
    }

    private static func complaint(
        about fault: TLSIdentity.LoadError, _ files: ServeConfiguration.CertificateFiles
    ) -> CommandError {
        switch fault {
        case .certificate:
            CommandError(
                "\(files.certificate): no certificate in PEM", code: .badInput,
                setting: "tls-certificate")
        case .key:
            CommandError(
                "\(files.key): no private key in PEM", code: .badInput,
                setting: "tls-key")
        case .pair:
            CommandError(
                "\(files.key): the key does not belong to the first certificate of "
                    + files.certificate, code: .badInput, setting: "tls-key")
        }
    }
}
