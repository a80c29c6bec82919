// SPDX-License-Identifier: Apache-2.0
#if canImport(DeviceCheck)
    import Crypto
    import DeviceCheck
    import Foundation
    import Synchronization

    /// Supplies Apple's attestation that this is the unchanged app on a genuine device (App
    /// Attest).
    ///
    /// The provider must know the App ID, and in which environment its keys are made
    /// (`registration.apple`). The app needs the capability App Attest.
    ///
    /// A registration makes a key in the Secure Enclave and has it attested for the challenge. At
    /// each later sign-in of that profile the same key signs besides, so that a project may ask for
    /// it (`assertions: required`). Keep one attestor for as long as the client.
    public final class AppAttestAttestor: DeviceAttestor {
        /// See ``DeviceAttestor``.
        public let method = RegistrationMethod.appAttest
        /// A key that was made and that Apple could not be asked about: to be tried again, since
        /// each new one counts against the device.
        private let unused = Mutex<String?>(nil)

        /// Creates an attestor. It calls the system when it is used.
        public init() {}

        /// Whether this device and this app can do it: simulators and most app extensions cannot,
        /// nor can most Macs.
        public static var isAvailable: Bool { DCAppAttestService.shared.isSupported }

        /// See ``DeviceAttestor``.
        ///
        /// - Throws: `DCError`. After `serverUnavailable` try again later.
        public func evidence(
            for challenge: RegistrationChallenge
        ) async throws -> RegistrationEvidence {
            let binding = Data(challenge.binding)
            if let key = unused.withLock({ $0 }) {
                do { return try await evidence(by: key, binding) } catch {
                    guard (error as? DCError)?.code == .invalidKey else { throw error }
                }
            }
            return try await evidence(by: try await Self.makeKey(), binding)
        }

        private func evidence(
            by key: String, _ binding: Data
        ) async throws -> RegistrationEvidence {
            unused.withLock { $0 = key }
            let attestation: Data
            do { attestation = try await Self.attestation(of: key, binding) } catch {
                if (error as? DCError)?.code != .serverUnavailable { unused.withLock { $0 = nil } }
                throw error
            }
            unused.withLock { $0 = nil }
            return RegistrationEvidence([
                "key_id": key, "attestation": attestation.base64EncodedString(),
            ])
        }

        /// See ``DeviceAttestor/assertion(over:by:)``.
        public func assertion(over message: [UInt8], by keyID: String) async throws -> [UInt8]? {
            let hash = Data(SHA256.hash(data: message))
            return Array(
                try await withCheckedThrowingContinuation {
                    (waiter: CheckedContinuation<Data, any Error>) in
                    DCAppAttestService.shared.generateAssertion(keyID, clientDataHash: hash) {
                        waiter.resume(with: DeviceCheckResult.result($0, $1))
                    }
                })
        }

        private static func makeKey() async throws -> String {
            try await withCheckedThrowingContinuation { waiter in
                DCAppAttestService.shared.generateKey {
                    waiter.resume(with: DeviceCheckResult.result($0, $1))
                }
            }
        }

        private static func attestation(of key: String, _ hash: Data) async throws -> Data {
            try await withCheckedThrowingContinuation { waiter in
                DCAppAttestService.shared.attestKey(key, clientDataHash: hash) {
                    waiter.resume(with: DeviceCheckResult.result($0, $1))
                }
            }
        }
    }

    /// The result of a callback of the framework: a value or an error.
    enum DeviceCheckResult {
        /// The error if the framework supplies neither.
        struct Nothing: Error {}

        static func result<Value>(
            _ value: Value?, _ error: (any Error)?
        ) -> Result<Value, any Error> {
            if let value { return .success(value) }
            return .failure(error ?? Nothing())
        }
    }
#endif
