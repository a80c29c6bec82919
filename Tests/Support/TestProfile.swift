// SPDX-License-Identifier: Apache-2.0

/// A profile as `gatehouse platform-sso profile` writes it, and what tests vary in it.
package struct TestProfile: Sendable {
    package var issuer: String
    package var token: String?
    package var method: String
    package var shared: Bool
    /// `LoginFrequency`, in seconds.
    package var frequency: Int?
    /// `OfflineGracePeriod`, here in days, with the policy that allows it.
    package var grace: Int?
    package var removal: String?
    /// `LoginPolicy`, which replaces the value from ``grace``.
    package var loginPolicy: [String] = []
    package var unlockPolicy: [String] = []
    package var diskPolicy: [String] = []
    /// `AuthenticationGracePeriod`, here in days.
    package var authenticationGrace: Int?
    /// `NonPlatformSSOAccounts`
    package var exempt: [String] = []
    /// `DeniedBundleIdentifiers`
    package var denied: [String] = []
    /// `key_stores` of `ExtensionData`.
    package var keyStores: [String] = []
    /// `user_key_pin` of `ExtensionData`.
    package var pin: Int?
    /// `WebLoginURLAllowList`
    package var webHosts: [String] = []
    /// `key_rotation` of `ExtensionData`, in days.
    package var rotation: Int?
    /// `user_key_presence` of `ExtensionData`.
    package var presence: String?
    /// `AdditionalGroups`
    package var groups: [String] = []
    /// `SynchronizeProfilePicture`
    package var hasPictures = false
    /// `EnableRegistrationDuringSetup`
    package var registersInSetup = false
    /// `provider` of `ExtensionData`, which the example extension reads.
    package var provider: String?
    package var identifier = "com.example.sso"
    package var team = "ABCDE12345"

    package init(
        issuer: String = "https://idp.example.com", token: String? = nil,
        method: String = "Password", shared: Bool = true, frequency: Int? = 7200,
        grace: Int? = nil, removal: String? = nil
    ) {
        self.issuer = issuer
        self.token = token
        self.method = method
        self.shared = shared
        self.frequency = frequency
        self.grace = grace
        self.removal = removal
    }

    package var text: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>PayloadContent</key><array><dict>
        <key>PayloadType</key><string>com.apple.extensiblesso</string>
        <key>PayloadVersion</key><integer>1</integer>
        <key>PayloadIdentifier</key><string>com.example.sso.payload</string>
        <key>PayloadUUID</key><string>11111111-1111-4111-8111-111111111111</string>
        <key>ExtensionIdentifier</key><string>\(identifier)</string>
        <key>TeamIdentifier</key><string>\(team)</string>
        <key>Type</key><string>Redirect</string>
        <key>URLs</key><array><string>\(issuer)</string></array>
        \(list("DeniedBundleIdentifiers", denied))
        \(extensionData)
        \(member("RegistrationToken", token))
        <key>PlatformSSO</key><dict>
        <key>AuthenticationMethod</key><string>\(method)</string>
        <key>UseSharedDeviceKeys</key><\(shared)/>
        \(member("LoginFrequency", frequency))
        \(graceKeys)
        \(list("AdditionalGroups", groups))
        \(hasPictures ? "<key>SynchronizeProfilePicture</key><true/>" : "")
        \(registersInSetup ? "<key>EnableRegistrationDuringSetup</key><true/>" : "")
        </dict></dict></array>
        <key>PayloadType</key><string>Configuration</string>
        <key>PayloadVersion</key><integer>1</integer>
        <key>PayloadIdentifier</key><string>com.example.sso</string>
        <key>PayloadUUID</key><string>22222222-2222-4222-8222-222222222222</string>
        <key>PayloadScope</key><string>System</string>
        \(removal.map { "<key>RemovalDate</key><date>\($0)</date>" } ?? "")
        </dict></plist>
        """
    }

    private var extensionData: String {
        let stores = list("key_stores", keyStores)
        let members =
            member("issuer", issuer) + stores + member("user_key_pin", pin)
            + member("key_rotation", rotation) + member("user_key_presence", presence)
            + member("provider", provider)
        return "<key>ExtensionData</key><dict>\(members)</dict>"
    }

    private var graceKeys: String {
        let allowing = grace == nil ? [] : ["AllowOfflineGracePeriod"]
        return list("LoginPolicy", loginPolicy.isEmpty ? allowing : loginPolicy)
            + list("UnlockPolicy", unlockPolicy) + list("FileVaultPolicy", diskPolicy)
            + member("OfflineGracePeriod", grace.map { $0 * 86_400 })
            + member("AuthenticationGracePeriod", authenticationGrace.map { $0 * 86_400 })
            + list("NonPlatformSSOAccounts", exempt) + list("WebLoginURLAllowList", webHosts)
    }

    private func list(_ name: String, _ values: [String]) -> String {
        let texts = values.map { "<string>\($0)</string>" }.joined()
        return values.isEmpty ? "" : "<key>\(name)</key><array>\(texts)</array>"
    }

    private func member(_ name: String, _ value: String?) -> String {
        value.map { "<key>\(name)</key><string>\($0)</string>" } ?? ""
    }

    private func member(_ name: String, _ value: Int?) -> String {
        value.map { "<key>\(name)</key><integer>\($0)</integer>" } ?? ""
    }
}
