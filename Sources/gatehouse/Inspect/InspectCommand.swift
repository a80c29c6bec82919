// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import Platform

/// `gatehouse inspect`: verdicts on data, from exactly the code that the provider runs.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Report whether a token, key or security-key message is acceptable, and why not.",
        discussion: """
            Reads one JSON object from FILE or standard input and prints a verdict:
            {"verdict":"accepted" or "refused","code":"…","reason":"…","value":{…}}.
            Exits with 0 when accepted, 1 when refused, 2 when the input is not what it reads.
            inspect profile and inspect metadata read their input unchanged, not as a JSON object.
            With --batch it reads one object per line and answers one per line.

            Example: gatehouse inspect jwk key.json
            """,
        subcommands: [
            JWS.self, JWE.self, JWK.self, CBOR.self, WebAuthnRegistration.self,
            WebAuthnAssertion.self, PlatformSSOMessage.self, Profile.self, Attestation.self,
            Metadata.self,
        ]
    )

    struct Options: ParsableArguments {
        @Argument(help: "The file to read; standard input when absent or -.")
        var file: String?

        @Flag(help: "One JSON object per line in, one verdict per line out, in order.")
        var batch = false

        @Flag(help: "Print JSON. Verdicts always are.")
        var json = false

        /// - Parameters:
        ///   - whole: the verdict on the bytes of an input that is not JSON.
        ///   - limit: the most bytes that are read.
        func run(
            _ inspection: @escaping InspectBatch.Inspection,
            whole: (([UInt8]) async -> JSONValue)? = nil, limit: Int = InspectBatch.maximumBytes
        ) async throws {
            let descriptor = try open()
            defer { if descriptor != .standardInput { descriptor.close() } }
            guard !batch else {
                return await InspectBatch(descriptor: descriptor, inspection: inspection).run()
            }
            guard let bytes = InspectBatch.readAll(descriptor, limit: limit) else {
                throw Self.badInput("cannot read the input")
            }
            let verdict: JSONValue
            if let whole {
                verdict = await whole(bytes)
            } else {
                verdict = await InspectBatch.verdict(bytes, by: inspection)
            }
            InspectBatch.write(verdict.bytes + [UInt8(ascii: "\n")])
            throw ExitCode(Self.exitCode(of: verdict))
        }

        private func open() throws -> Descriptor {
            guard let file, file != "-" else { return .standardInput }
            guard let descriptor = try? Descriptor.open(file) else {
                throw Self.badInput("cannot open \(file)")
            }
            return descriptor
        }

        private static func badInput(_ reason: String) -> ExitCode {
            InspectBatch.write(
                Verdict.badInput(reason).json.bytes + [UInt8(ascii: "\n")])
            return ExitCode(2)
        }

        /// 0 accepted, 1 refused, 2 the input is not what the command reads.
        static func exitCode(of verdict: JSONValue) -> Int32 {
            if verdict["verdict"]?.string == "accepted" { return 0 }
            let code = verdict["code"]?.string ?? ""
            let unreadable = [
                "json_", "plist_", "signed_profile_", "metadata_malformed", "metadata_too_large",
            ].contains { code.hasPrefix($0) }
            return code == Verdict.badInputCode || unreadable ? 2 : 1
        }
    }

    struct JWS: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "jws",
            abstract: "Verify a signed message (RFC 7515).",
            discussion: """
                Input: {"jws":"compact or JSON serialisation","jwk":{…} or "jwks":{…},"alg":"ES256"?}

                Example: gatehouse inspect jws --batch < messages.jsonl
                """)
        @OptionGroup var options: Options
        func run() async throws { try await options.run { InspectJWS.verdict(for: $0) } }
    }

    struct JWE: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "jwe",
            abstract: "Decrypt an encrypted message (RFC 7516).",
            discussion: """
                Input: {"jwe":"…","jwk":{…}}

                Example: gatehouse inspect jwe message.json
                """)
        @OptionGroup var options: Options
        func run() async throws { try await options.run { InspectJWE.verdict(for: $0) } }
    }

    struct JWK: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "jwk",
            abstract: "Check a key (RFC 7517) and print its thumbprint.",
            discussion: """
                Input: {"jwk":{…}}

                Example: gatehouse inspect jwk key.json
                """)
        @OptionGroup var options: Options
        func run() async throws { try await options.run { InspectJWK.verdict(for: $0) } }
    }

    struct CBOR: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cbor",
            abstract: "Decode CBOR (RFC 8949), or its canonical form under CTAP2.",
            discussion: """
                Input: {"cbor":"…","profile":"rfc8949"|"ctap2"}

                Example: gatehouse inspect cbor --batch < items.jsonl
                """)
        @OptionGroup var options: Options
        func run() async throws { try await options.run { InspectCBOR.verdict(for: $0) } }
    }

    struct WebAuthnRegistration: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "webauthn-registration",
            abstract: "Verify the registration of a security key (WebAuthn section 7.1).",
            discussion: """
                Input: {"rpId","origins":[],"topOrigins":[]?,"allowCrossOrigin":false,"challenge",
                "userVerification","algorithms":[]?,"attestationAlgorithms":[]?,
                "trustAnchors":[DER]?,"attestation"?,"now"?,
                "extensions":{what the options asked for}?,
                "response":RegistrationResponseJSON}

                Policy, each where it differs from the provider's: "conditional",
                "backup":"allowed"|"prohibited"|"required", "acceptsNone", "acceptsSelf",
                "acceptsUnanchored", "allowedModels":[AAGUID], "deniedModels":[AAGUID],
                "compoundRule":"all"|"any", "requiresHardwareKeyOfAndroid",
                "requiresZeroAAGUIDFromU2F", "unsolicitedExtensions":"ignore"|"refuse"

                Example: gatehouse inspect webauthn-registration registration.json
                """)
        @OptionGroup var options: Options
        func run() async throws {
            try await options.run { await InspectWebAuthnRegistration.verdict(for: $0) }
        }
    }

    struct WebAuthnAssertion: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "webauthn-assertion",
            abstract: "Verify a sign-in with a security key (WebAuthn section 7.2).",
            discussion: """
                Input: the head of webauthn-registration, and
                {"credential":{"id","publicKey","signCount","backupEligible"?,"userHandle"?},
                "allowCredentials":[id]?,"owner":user handle?,"requiresUserHandle"?,
                "signCountPolicy":"refuse"|"report","unsolicitedExtensions":"ignore"|"refuse",
                "response":AuthenticationResponseJSON}

                Example: gatehouse inspect webauthn-assertion sign-in.json
                """)
        @OptionGroup var options: Options
        func run() async throws {
            try await options.run { InspectWebAuthnAssertion.verdict(for: $0) }
        }
    }

    struct PlatformSSOMessage: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "platform-sso",
            abstract: "Explain a Platform SSO message, check by check.",
            discussion: """
                Input: {"message":"compact JWS or JWE","keys":[JWK],"nonce"?,"now"?}
                The message may be the complete form that was posted. Private keys decrypt what is
                encrypted to them. The nonce of the request is needed for responses whose header
                leaves apv out.

                Example: gatehouse inspect platform-sso login.json
                """)
        @OptionGroup var options: Options
        func run() async throws {
            try await options.run { InspectPlatformSSO.verdict(for: $0) }
        }
    }

    struct Attestation: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "attestation",
            abstract: "Verify the attestation of a device or app.",
            discussion: """
                Input: {"format":"apple-app-attest"|"apple-app-attest-assertion"|"android-key"|
                "play-integrity"|"apple-device"|"tpm", …}, as docs/attestation.md describes each.

                Example: gatehouse inspect attestation evidence.json
                """)
        @OptionGroup var options: Options
        func run() async throws {
            try await options.run { await InspectAttestation.verdict(for: $0) }
        }
    }
}
