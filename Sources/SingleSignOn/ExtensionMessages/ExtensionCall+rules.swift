// SPDX-License-Identifier: Apache-2.0

extension ExtensionCall {
    /// Why the call is not for that request; `nil` when it may go on. Both ends ask: the extension's
    /// to fail early, the agent's because it does not believe the other.
    ///
    /// - A registration of a device is nobody's: it sets nothing of a person (Apple "Registering devices and users").
    /// - Something is shown only while a request is open that allows it, and asked only after that.
    /// - Keys of one person and keys that all share are at hand together only in a migration from
    ///   one to the other (Apple "Configuring authentication with the identity provider (IdP)").
    ///
    /// - Parameter isPresented: whether ``present`` has succeeded in this request.
    package func refusal(
        in request: ExtensionHostRequest, isPresented: Bool
    ) -> ExtensionCallRefusal? {
        switch kind {
        case .present where !request.allowsPresentation:
            return .init(.notInteractive, "nothing may be shown in this request")
        case .ask where !isPresented:
            return .init(.notInteractive, "nothing is shown yet")
        case .saveUserLoginConfiguration, .saveLoginUserName, .saveTokens,
            .userNeedsReauthentication, .userRegistrationNeedsRepair, .resetUserSecureEnclaveKey:
            guard request.kind == .registerDevice else { break }
            return .init(.notPermitted, "the registration of a device is nobody's")
        default: break
        }
        switch request.kind {
        case .registrationDidComplete, .registrationDidCancel:
            return .init(.notPermitted, "a notification has no login manager")
        case .displayNames where !Self.readers.contains(kind),
            .profilePicture where !Self.readers.contains(kind):
            return .init(.notPermitted, "this request changes nothing")
        default: return refusalOfKey(in: request)
        }
    }

    private static let readers: Set<Kind> = [
        .key, .sign, .agree, .certificates, .attest, .attestationStatement,
    ]

    private func refusalOfKey(in request: ExtensionHostRequest) -> ExtensionCallRefusal? {
        guard let keyType, [.registerDevice, .registerUser].contains(request.kind),
            !request.options.contains(.registrationDeviceKeyMigration)
        else { return nil }
        let isShared = request.options.contains(.registrationSharedDeviceKeys)
        switch keyType {
        case .userDeviceSigning, .userDeviceEncryption:
            return isShared ? .init(.keyUnavailable, "this device shares its keys") : nil
        case .sharedDeviceSigning, .sharedDeviceEncryption:
            return isShared ? nil : .init(.keyUnavailable, "this device shares no keys")
        case .userSecureEnclaveKey, .userSmartCard:
            guard request.kind == .registerDevice else { return nil }
            return .init(.keyUnavailable, "the registration of a device is nobody's")
        case .currentDeviceSigning, .currentDeviceEncryption: return nil
        }
    }
}
