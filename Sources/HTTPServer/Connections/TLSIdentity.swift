// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOSSL
import Synchronization

/// The certificate chain and key that the server shows, replaceable while it runs.
package final class TLSIdentity: Sendable {
    package struct Files: Sendable {
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// What is wrong with the files.
    package enum LoadError: Error, Sendable {
        /// There is no certificate in PEM in the one.
        case certificate
        /// There is no private key in PEM in the other.
        case key
        /// They do not belong together.
        case pair
    }

    private struct Loaded: Sendable {
        var chain: [NIOSSLCertificateSource]
        var key: NIOSSLPrivateKeySource
    }

    private let files: Files
    private let loaded: Mutex<Loaded>

    /// Reads both files; throws when they cannot be read or do not belong together.
    package init(_ files: Files) throws(LoadError) {
        self.files = files
        loaded = Mutex(try Self.load(files))
    }

    /// Reads the files again: new connections get the new certificate. When they are not good, it
    /// throws and the old ones stay.
    package func reload() throws(LoadError) {
        let fresh = try Self.load(files)
        loaded.withLock { $0 = fresh }
    }

    private static func load(_ files: Files) throws(LoadError) -> Loaded {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(files.certificate), !chain.isEmpty
        else { throw .certificate }
        guard let key = try? NIOSSLPrivateKey(file: files.key, format: .pem) else { throw .key }
        let identity = Loaded(
            chain: chain.map { .certificate($0) }, key: .privateKey(key))
        // A context is made once to learn now, not at a handshake, whether they fit together.
        let context = try? NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: identity.chain, privateKey: identity.key))
        guard context != nil else { throw .pair }
        return identity
    }

    /// TLS 1.2 or later (BCP 195), asking this identity at every handshake.
    func configuration() -> TLSConfiguration {
        let now = loaded.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: now.chain, privateKey: now.key)
        configuration.minimumTLSVersion = .tlsv12
        configuration.sslContextCallback = { [self] _, promise in
            let current = loaded.withLock { $0 }
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = current.chain
            override.privateKey = current.key
            promise.succeed(override)
        }
        return configuration
    }
}
