// SPDX-License-Identifier: Apache-2.0
package import ProviderCore
import ProviderSettings
import SingleSignOn
import Storage

/// The payload settings of a project for its devices. They are part of the response to a
/// registration, and of the profile for a Mac during its setup.
package struct DeviceProfile: Sendable {
    private let issuer: String
    private let name: String
    private let policy: PlatformSSOPolicy

    package init(_ tenant: Tenant) {
        self.init(
            issuer: tenant.issuer,
            name: tenant.project.theme.displayName ?? "Single Sign-On",
            policy: tenant.project.policy.platformSSO)
    }

    private init(issuer: String, name: String, policy: PlatformSSOPolicy) {
        self.issuer = issuer
        self.name = name
        self.policy = policy
    }

    /// The settings of the project, completed from its policy.
    var settings: PlatformSSOSettings {
        let entries = policy.profile.compactMap {
            try? KeyText.entry($0, among: PlatformSSOSettings.descriptions)
        }
        var settings = PlatformSSOSettings(entries: entries)
        settings.loginFrequency = settings.loginFrequency ?? policy.loginFrequency
        settings.authenticationMethod = settings.authenticationMethod ?? method
        settings.useSharedDeviceKeys = settings.useSharedDeviceKeys ?? true
        return settings
    }

    /// The first of the methods that the project allows.
    private var method: PlatformSSOAuthenticationMethod? {
        policy.allowedMethods.lazy.compactMap { DeviceUser.Method(rawValue: $0) }.first.map {
            switch $0 {
            case .password: .password
            case .userKey: .userSecureEnclaveKey
            case .smartCard: .smartCard
            case .webLogin: .openID
            }
        }
    }

    /// A configuration profile in XML for a Mac during its setup. It contains no registration
    /// token, because every client that knows the URL can download it. People sign in to register.
    func mobileconfig() throws(ProfileRequestError) -> [UInt8] {
        var settings = settings
        settings.enableRegistrationDuringSetup = true
        settings.accountDisplayName = settings.accountDisplayName ?? name
        var request = ProfileRequest(
            issuer: issuer, displayName: name, teamIdentifier: policy.setupAssistant.team,
            extensionIdentifier: policy.setupAssistant.extensionIdentifier,
            platformSSO: settings)
        request.appIdentifier =
            policy.setupAssistant.app.isEmpty ? nil : policy.setupAssistant.app
        return try ProfileBuilder(request).mobileconfig()
    }
}

// MARK: Validation

extension DeviceProfile {
    /// The issue of one `KEY=VALUE`, or `nil`.
    static let complaint: TextRule = { text in
        do throws(KeyText.ParseError) {
            _ = try KeyText.entry(text, among: PlatformSSOSettings.descriptions)
            return nil
        } catch { return ValidationIssue(error) }
    }

    /// The issue of all lines together, or `nil`: a key that is set twice.
    static func complaint(_ lines: [String]) -> ValidationIssue? {
        do throws(KeyText.ParseError) {
            _ = try KeyText.entries(lines, among: PlatformSSOSettings.descriptions)
            return nil
        } catch { return ValidationIssue(error) }
    }

    /// The reason why no profile for Setup Assistant can be built, if one is offered, or `nil`.
    static func fault(of policy: PlatformSSOPolicy) -> ValidationIssue? {
        guard policy.setupAssistant.isOffered else { return nil }
        guard policy.setupAssistant.manifestURL.hasPrefix("https://") else {
            return ValidationIssue(.manifestNeeded)
        }
        let profile = DeviceProfile(
            issuer: "https://issuer.example", name: "Single Sign-On", policy: policy)
        do throws(ProfileRequestError) {
            _ = try profile.mobileconfig()
            return nil
        } catch { return ValidationIssue(.noProfile, ["reason": .text(error.description)]) }
    }
}

extension ValidationIssue {
    fileprivate init(_ fault: KeyText.ParseError) {
        switch fault {
        case .noAssignment: self.init(.notAssignment)
        case .unknownKey(let key, let nearest):
            let hint = nearest.map { ValidationIssue(.didYouMean, ["name": .text($0)]) }
            self.init(
                .unknownSetting, ["key": .text(key), "hint": hint.map(Value.complaint) ?? ""])
        case .value(let key, let form):
            self.init(.notSettingValue, ["key": .text(key), "form": .text(form)])
        case .repeated(let key): self.init(.settingTwice, ["key": .text(key)])
        }
    }
}
