// SPDX-License-Identifier: Apache-2.0
package import CTAP
package import Primitives

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// The passkeys of this machine's user: a software authenticator in a sealed file.
///
/// The file is opened for one ceremony and let go of, so that several programs share it. Its PIN,
/// which is made up at the first use, verifies the person; that a person is there is asked.
package struct PasskeyStore: CredentialAuthenticator {
    private let path: String
    private let tpm: String?
    private let clock: any WallClock
    private let random: any RandomSource
    /// What the person knows it by.
    static let name = "the passkeys on this computer"

    /// - Parameters:
    ///   - path: the sealed file.
    ///   - tpm: the device of a TPM, which holds the file's key and all private keys; without one
    ///     the file's key lies beside it in `PATH.key`, mode 0600.
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
        guard access(path, F_OK) == 0, let key = try? await open(AutomaticGesture(.denied)) else {
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
        // Being asked is no proof of who answers: the PIN is.
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
        var made = ""
        for part in path.split(separator: "/").dropLast() where path.hasPrefix("/") {
            made += "/\(part)"
            if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EISDIR, errno != EROFS {
                throw .system(call: "mkdir", code: errno)
            }
        }
    }
}

/// The person before this machine, asked through whatever shows the ceremony.
private struct PresentedGesture: UserGesture {
    let interaction: any SecurityKeyInteraction

    func confirm(_ prompt: GesturePrompt) async -> GestureOutcome {
        guard let presented = interaction as? PresentedInteraction else { return .denied }
        let answer = await presented.presenter.choose(
            ShownText.safe(prompt.sentence) + "?", from: ["Continue", "Cancel"])
        return answer == 0 ? .approved : .denied
    }
}
