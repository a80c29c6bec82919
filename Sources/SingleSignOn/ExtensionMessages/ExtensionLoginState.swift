// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The state of the login manager at the time of a request.
///
/// Configurations have the form of `LoginConfiguration.json` in the module `PlatformSSO`; messages
/// treat them as objects.
package struct ExtensionLoginState: Sendable, Equatable {
    package var isDeviceRegistered = false
    package var isUserRegistered = false
    package var registrationToken: Secret?
    package var authenticationMethod = PlatformSSOAuthenticationMethod.password
    /// `ExtensionData` of the profile, verbatim.
    package var extensionData: [PropertyList.Entry] = []
    package var loginConfiguration: JSONObject?

    // MARK: Of the person

    package var loginUserName: String?
    package var userLoginConfiguration: JSONObject?
    /// The tokens of the last login response.
    package var tokens: JSONObject?

    package init() {}

    /// The state for a device registration: without data of a person, because it may run without
    /// one.
    package var ofTheDevice: ExtensionLoginState {
        var state = self
        state.isUserRegistered = false
        state.loginUserName = nil
        state.userLoginConfiguration = nil
        state.tokens = nil
        return state
    }

    var json: JSONObject {
        var object = JSONObject()
        object["device_registered"] = .bool(isDeviceRegistered)
        object["user_registered"] = .bool(isUserRegistered)
        object["registration_token"] = registrationToken.map { .string($0.revealText()) }
        object["method"] = .string(authenticationMethod.rawValue)
        let list = try? BinaryPropertyListWriter.bytes(of: .dictionary(extensionData))
        object["extension_data"] = list.map { .string(Base64URL.encode($0)) }
        object["login_configuration"] = loginConfiguration.map { .object($0) }
        object["login_user_name"] = loginUserName.map { .string($0) }
        object["user_login_configuration"] = userLoginConfiguration.map { .object($0) }
        object["tokens"] = tokens.map { .object($0) }
        return object
    }

    init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        isDeviceRegistered = try reader.required("device_registered", .bool)
        isUserRegistered = try reader.required("user_registered", .bool)
        registrationToken = try reader.optional("registration_token", .secret)
        authenticationMethod = try reader.required("method", .choice)
        let list = try reader.optional("extension_data", .base64url(0...524_288))
        extensionData = try list.map(Self.entries) ?? []
        loginConfiguration = try reader.optional("login_configuration", .object)
        loginUserName = try reader.optional("login_user_name", .text)
        userLoginConfiguration = try reader.optional("user_login_configuration", .object)
        tokens = try reader.optional("tokens", .object)
        try reader.finish()
    }

    private static func entries(
        _ list: [UInt8]
    ) throws(ExtensionMessageError) -> [PropertyList.Entry] {
        guard PropertyListDocument.format(of: list) == .binary,
            let entries = try? PropertyListDocument(list).root.propertyList.entries
        else { throw ExtensionMessageError(.memberMalformed, "extension_data") }
        return entries
    }
}
