// SPDX-License-Identifier: Apache-2.0
#if canImport(DeviceCheck)
    import DeviceCheck
    import Foundation

    /// Supplies Apple's attestation that this is a genuine device with an app of the team
    /// (DeviceCheck).
    ///
    /// It says nothing about the key that is being registered, or which app it is:
    /// ``AppAttestAttestor`` is stronger wherever the device can do it. The provider asks Apple
    /// with the team's key (`registration.apple.device_check_key`).
    public struct DeviceCheckAttestor: DeviceAttestor {
        /// See ``DeviceAttestor``.
        public let method = RegistrationMethod.deviceCheck
        private let deviceID: String?

        /// - Parameter deviceID: The name with which an administrator can allow this device to
        ///   register again, if devices may register once (`device_check_again`): for example
        ///   `identifierForVendor`.
        public init(deviceID: String? = nil) { self.deviceID = deviceID }

        /// Whether this device can do it: simulators cannot.
        public static var isAvailable: Bool { DCDevice.current.isSupported }

        /// See ``DeviceAttestor``.
        ///
        /// - Throws: `DCError`.
        public func evidence(
            for challenge: RegistrationChallenge
        ) async throws -> RegistrationEvidence {
            let token: Data = try await withCheckedThrowingContinuation { waiter in
                DCDevice.current.generateToken {
                    waiter.resume(with: DeviceCheckResult.result($0, $1))
                }
            }
            var members = ["token": token.base64EncodedString()]
            members["device_id"] = deviceID
            return RegistrationEvidence(members)
        }
    }
#endif
