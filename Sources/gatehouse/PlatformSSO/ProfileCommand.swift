// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import Platform
import Primitives
import SingleSignOn

/// `gatehouse platform-sso profile`
struct ProfileCommand: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
        case mobileconfig, declaration
    }

    enum Method: String, ExpressibleByArgument, CaseIterable, Sendable {
        case password
        case secureEnclaveKey = "secure-enclave-key"
        case smartCard = "smart-card"
        case openID = "openid"

        var setting: PlatformSSOAuthenticationMethod {
            switch self {
            case .password: .password
            case .secureEnclaveKey: .userSecureEnclaveKey
            case .smartCard: .smartCard
            case .openID: .openID
            }
        }
    }

    enum ScreenLocked: String, ExpressibleByArgument, CaseIterable, Sendable {
        case cancel
        case doNotHandle = "do-not-handle"

        var setting: SSOConfiguration.ScreenLockedBehavior {
            self == .cancel ? .cancel : .doNotHandle
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Write the profile that makes devices use the provider.",
        discussion: """
            Writes a configuration profile, or the declaration of macOS 27. With \
            --sign-certificate and --sign-key the profile is signed (CMS); device management may \
            also sign it when it hands it out. The same options give the same profile, and other \
            settings replace the one before. What would not work is refused. --set takes every key \
            of the dictionary PlatformSSO: gatehouse platform-sso keys lists them. A device finds \
            the provider by the issuer, which is in ExtensionData.

            Example:

              gatehouse platform-sso profile --issuer https://idp.example.com --team ABCDE12345 \\
                --extension com.example.app.sso --app com.example.app --method password \\
                --registration-token-file token --set LoginPolicy=AttemptAuthentication \\
                --output sso.mobileconfig
            """)

    @Option(help: "The issuer of the project.")
    var issuer: String
    @Option(help: "The team that signed the extension.")
    var team: String
    @Option(name: .customLong("extension"), help: "The bundle identifier of the extension.")
    var extensionIdentifier: String
    @Option(help: "The bundle identifier of its app; then the profile names its domains too.")
    var app: String?
    @Option(help: "Display name.")
    var name = "Single Sign-On"
    @Option(help: "Organization of the profile.")
    var organization: String?
    @Option(help: "Authentication method; password by default.")
    var method: Method?
    @Option(
        help:
            "File with the token that registers devices silently; or GATEHOUSE_REGISTRATION_TOKEN.")
    var registrationTokenFile: String?
    @Option(help: "Seconds until a full login is needed; 3600 at least.")
    var loginFrequency: Int64?
    @Flag(help: "Keys for each person; otherwise one pair of keys serves the device.")
    var userKeys = false
    @Flag(help: "For the user channel, with keys for each person.")
    var userChannel = false
    @Option(help: "KEY=VALUE of the dictionary PlatformSSO; repeatable.")
    var set: [String] = []
    @Option(help: "KEY=VALUE for the extension; repeatable.")
    var extensionData: [String] = []
    @Option(help: "A URL that the extension handles in addition to the issuer; repeatable.")
    var url: [String] = []
    @Option(help: "Handling of requests while the screen is locked.")
    var screenLocked: ScreenLocked?
    @Flag(name: .customLong("macos-13"), help: "Write the method also where macOS 13 reads it.")
    var firstVersion = false
    @Option(help: "A bundle identifier for which the extension does nothing; repeatable.")
    var denyApp: [String] = []
    @Flag(help: "People cannot remove the profile.")
    var noRemoval = false
    @Option(help: "mobileconfig or declaration.")
    var format = Format.mobileconfig
    @Option(
        help: ArgumentHelp(
            "Certificates that sign the profile: the signer's and its chain, PEM.",
            valueName: "file"))
    var signCertificate: String?
    @Option(
        help: ArgumentHelp("The signer's key, P-256 or RSA, PEM; unencrypted.", valueName: "file"))
    var signKey: String?
    @Option(help: "The file to write; standard output when absent.")
    var output: String?
    @OptionGroup var printing: OutputOptions

    private var isSigned: Bool { signCertificate != nil }

    func validate() throws {
        guard (signCertificate == nil) == (signKey == nil) else {
            throw ValidationError("use --sign-certificate and --sign-key together")
        }
        guard !isSigned || format == .mobileconfig else {
            throw ValidationError("a declaration is not signed; its channel is")
        }
    }

    func run() async throws {
        let content = try content()
        for warning in warnings(of: content) { StandardError.print("gatehouse: \(warning)") }
        let bytes = try signed(content)
        // It may hold a token.
        if let output { try SecretFile.replace(output, bytes) }
        if printing.json {
            var object = JSONObject()
            object["format"] = .string(format.rawValue)
            object["output"] = output.map { .string($0) }
            // The JSON omits the profile, which contains a token, if it is in a file.
            if output == nil { object["profile"] = .string(text(of: bytes)) }
            print(JSONValue.object(object).text)
        } else if let output {
            let method = try settings().authenticationMethod?.rawValue ?? ""
            StandardError.print("\(output) is written (method \(method), issuer \(issuer)).")
        } else {
            StandardOutput.write(bytes)
        }
    }

    /// What `inspect profile` would warn of: it installs, and does not do what was meant.
    func warnings(of content: [UInt8]) -> [String] {
        let context = ProfileInspection.Context(channel: userChannel ? .user : .device)
        guard let inspection = try? ProfileInspection(content, context: context) else { return [] }
        return inspection.findings.filter { $0.severity == .warning }.map { finding in
            let remedy = finding.remedy.isEmpty ? "" : "; \(finding.remedy)"
            return "\(finding.path): \(finding.problem)\(remedy)"
        }
    }

    /// As `inspect profile --batch` takes it: a signed message is no text.
    private func text(of bytes: [UInt8]) -> String {
        isSigned ? Base64URL.encode(bytes) : String(decoding: bytes, as: UTF8.self)
    }

    private func signed(_ profile: [UInt8]) throws -> [UInt8] {
        guard let signCertificate, let signKey else { return profile }
        let signer = try ProfileSigningFiles.load(
            .init(certificate: signCertificate, key: signKey))
        return try signer.sign(profile, at: SystemWallClock().now)
    }

    /// The bytes of the form that is asked for, unsigned.
    func content() throws -> [UInt8] {
        do {
            let maker = try ProfileBuilder(try request())
            return format == .declaration ? try maker.declaration() : try maker.mobileconfig()
        } catch let error as ProfileRequestError {
            throw CommandError(error.description, code: .badInput)
        } catch let error as KeyText.ParseError {
            throw CommandError(error.description, code: .badInput)
        }
    }

    private func request() throws -> ProfileRequest {
        var request = ProfileRequest(
            issuer: issuer, displayName: name, teamIdentifier: team,
            extensionIdentifier: extensionIdentifier, channel: userChannel ? .user : .device,
            platformSSO: try settings())
        request.organization = organization
        request.appIdentifier = app
        request.registrationToken = try token()
        request.extensionData = try extensionData.map { text in
            try KeyText.extensionEntry(text)
        }
        request.additionalURLs = url
        request.screenLockedBehavior = screenLocked?.setting
        request.namesMethodForFirstVersion = firstVersion
        request.deniedBundleIdentifiers = denyApp.isEmpty ? nil : denyApp
        request.removalDisallowed = noRemoval ? true : nil
        return request
    }

    /// What `--set` says goes before what follows by itself, and contradicts no other option.
    private func settings() throws -> PlatformSSOSettings {
        let entries = try KeyText.entries(set, among: PlatformSSOSettings.descriptions)
        var settings = PlatformSSOSettings(entries: entries)
        guard method == nil || settings.authenticationMethod == nil else {
            throw duplicateSetting("PlatformSSOAuthenticationMethod", by: "--method")
        }
        guard loginFrequency == nil || settings.loginFrequency == nil else {
            throw duplicateSetting("LoginFrequency", by: "--login-frequency")
        }
        guard !(userKeys || userChannel) || settings.useSharedDeviceKeys != true else {
            throw duplicateSetting(
                "UseSharedDeviceKeys", by: userKeys ? "--user-keys" : "--user-channel")
        }
        settings.authenticationMethod =
            settings.authenticationMethod ?? (method ?? .password).setting
        settings.loginFrequency = settings.loginFrequency ?? loginFrequency
        if !userKeys, !userChannel {
            settings.useSharedDeviceKeys = settings.useSharedDeviceKeys ?? true
        }
        settings.accountDisplayName = settings.accountDisplayName ?? name
        return settings
    }

    private func duplicateSetting(_ key: String, by option: String) -> CommandError {
        CommandError(
            "\(key) and \(option) set the same value; use only one of them", code: .badInput)
    }

    private func token() throws -> Secret? {
        guard let registrationTokenFile else {
            return ProcessEnvironment["GATEHOUSE_REGISTRATION_TOKEN"].map { Secret($0) }
        }
        guard let content = try SecretFile.read(registrationTokenFile) else {
            throw CommandError("\(registrationTokenFile) does not exist", code: .badInput)
        }
        return Secret(content.trimmedLine)
    }
}
