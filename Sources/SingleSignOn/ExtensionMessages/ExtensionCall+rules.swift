// SPDX-License-Identifier: Apache-2.0

extension ExtensionCall {
    /// Returns why the call is not allowed in that request; `nil` if it is. Both ends check it: the
    /// extension's to fail early, the agent's because it does not trust the extension.
    ///
    /// - A device registration sets no data of a person
    ///   (Apple "Registering devices and users").
    /// - The extension displays something only while a request is open that allows it, and prompts
    ///   only after that.
    /// - Per-user keys and shared keys are available together only in a migration from one to the
    ///   other (Apple "Configuring authentication with the identity provider (IdP)").
    ///
    /// - Parameter isPresented: Whether ``present`` has succeeded in this request.
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
            return .init(.notPermitted, "a device registration does not belong to a person")
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
            return .init(.keyUnavailable, "a device registration does not belong to a person")
        case .currentDeviceSigning, .currentDeviceEncryption: return nil
        }
    }
}
