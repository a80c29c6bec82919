// SPDX-License-Identifier: Apache-2.0
package import CTAP
import Platform
package import Primitives

/// The passkeys of this machine's user: a software authenticator in a sealed file.
///
/// The file is opened for one ceremony, so that several programs can share it. Its PIN, which is
/// generated at the first use, is the user verification; user presence is prompted.
package struct PasskeyStore: CredentialAuthenticator {
    private let path: String
    private let tpm: String?
    private let clock: any WallClock
    private let random: any RandomSource
    /// The displayed name.
    static let name = "the passkeys on this computer"

    /// - Parameters:
    ///   - path: The sealed file.
    ///   - tpm: The device of a TPM, which stores the file's key and all private keys. Without one,
    ///     the file's key is stored in `PATH.key`, mode 0600.
    package init(
        path: String, tpm: String? = nil, clock: any WallClock, random: any RandomSource
    ) {
        self.path = path
        self.tpm = tpm
        self.clock = clock
        self.random = random
    }

    /// `GATEHOUSE_PASSKEYS`, or `$XDG_DATA_HOME/gatehouse/passkeys`, or
    /// `~/.local/share/gatehouse/passkeys`.
    static func standardPath(_ environment: [String: String]) -> String? {
        if let path = environment["GATEHOUSE_PASSKEYS"], !path.isEmpty { return path }
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return "\(data)/gatehouse/passkeys"
        }
        return environment["HOME"].map { "\($0)/.local/share/gatehouse/passkeys" }
    }

    package func hasCredential(
        relyingParty: String, allowed: [CTAPCredentialDescriptor]
    ) async -> Bool {
        guard FileSystem.exists(path), let key = try? await open(AutomaticGesture(.denied)) else {
            return false
        }
        var request = GetAssertionRequest(
            rpId: relyingParty, clientDataHash: [UInt8](repeating: 0, count: 32))
        request.allowList = allowed.isEmpty ? nil : allowed
        request.options = CTAPOptions()
        request.options?.up = false
        let reply = await key.authenticator.respond(to: CTAPRequest.getAssertion(request).frame())
        return reply.first == CTAPStatus.ok.rawValue
    }

    package func client(
        interaction: any SecurityKeyInteraction
    ) async throws -> any CredentialClient {
        try makeFolder()
        let key = try await open(PresentedGesture(interaction: interaction))
        let device = AuthenticatorInProcess(key.authenticator, name: Self.name)
        return SecurityKeyClient(
            source: SingleAuthenticator(device: device), interaction: interaction, random: random)
    }

    private func open(
        _ gesture: some UserGesture
    ) async throws(AuthenticatorStoreError) -> EmulatedSecurityKey {
        var configuration = AuthenticatorConfiguration.platform
        // The prompt is not user verification: the PIN is.
        configuration.verification = .none
        guard let tpm else {
            return try await EmulatedSecurityKey.open(
                storeAt: path, vault: KeyFileProtector(path: path + ".key"),
                configuration: configuration, gesture: gesture, clock: clock, random: random)
        }
        return try await EmulatedSecurityKey.open(
            storeAt: path, vault: TPMKeyProtector(path: tpm), configuration: configuration,
            hardware: TPMCredentialKeys(path: tpm), gesture: gesture, clock: clock, random: random)
    }

    private func makeFolder() throws(AuthenticatorStoreError) {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return }
        do throws(PlatformError) { try Directory.createAll(String(path[..<slash])) } catch {
            throw .system(call: error.call, code: error.code.rawValue)
        }
    }
}

/// The person at this device, prompted through the presenter of the ceremony.
private struct PresentedGesture: UserGesture {
    let interaction: any SecurityKeyInteraction

    func confirm(_ prompt: GesturePrompt) async -> GestureOutcome {
        guard let presented = interaction as? PresentedInteraction else { return .denied }
        let answer = await presented.presenter.choose(
            ShownText.safe(prompt.sentence) + "?", from: ["Continue", "Cancel"])
        return answer == 0 ? .approved : .denied
    }
}
