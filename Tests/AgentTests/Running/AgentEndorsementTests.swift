import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import AttestationSupport
import Crypto
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Synchronization
import TPM
import Testing
import UserClient
import WebAuthn

/// A provider that asks for the endorsement key of a TPM, in front of one that does not.
private final class SealingRegistrar: WebTransport {
    enum Manner: CaseIterable {
        case silent, seals, refuses, sealsForAnother, isAway, talksNonsense
    }

    static let secret = Array("what only one TPM gives out".utf8)
    private static let path = "/endorsement"

    private struct Heard {
        var questions: [JSONObject] = []
        var evidence: [JSONValue] = []
    }

    private let registrar: PlayedRegistrar
    private let manner: Manner
    /// Whether it refuses devices without a secret.
    private let isStrict: Bool
    private let heard = Mutex(Heard())

    init(_ manner: Manner, isStrict: Bool = false) throws {
        registrar = try PlayedRegistrar()
        self.manner = manner
        self.isStrict = isStrict
    }

    var questions: [JSONObject] { heard.withLock { $0.questions } }
    /// The member `attestation` of each registration.
    var evidence: [JSONValue] { heard.withLock { $0.evidence } }

    func answer(to request: WebRequest) async throws -> WebResponse {
        if request.url.hasSuffix(Self.path) { return try sealed(request.body ?? []) }
        if request.url.hasSuffix("/devices"), let body = request.body {
            let found = try JSONParser.parseObject(body, maximumBytes: 65_536)["attestation"]
            heard.withLock { $0.evidence.append(found ?? .null) }
            if isStrict, found?["endorsement"] == nil {
                return Self.reply(
                    400,
                    ["error": "attestation_refused", "error_description": "activation_missing."])
            }
        }
        let reply = try await registrar.answer(to: request)
        guard request.url.hasSuffix("/.well-known/gatehouse"), manner != .silent else {
            return reply
        }
        var document = try JSONParser.parseObject(reply.body, maximumBytes: 65_536)
        var places = document["platform_sso"]?.object ?? JSONObject()
        places["device_endorsement"] = .string("https://idp.example.com" + Self.path)
        document["platform_sso"] = .object(places)
        return Self.reply(200, .object(document))
    }

    private func sealed(_ body: [UInt8]) throws -> WebResponse {
        let question = try JSONParser.parseObject(body, maximumBytes: 65_536)
        heard.withLock { $0.questions.append(question) }
        switch manner {
        case .refuses:
            return Self.reply(
                400, ["error": "attestation_refused", "error_description": "chain_untrusted."])
        case .isAway: return Self.reply(503, [:])
        case .talksNonsense: return Self.reply(200, ["credential_blob": "!"])
        case .silent, .seals, .sealsForAnother: break
        }
        func area(_ name: String) throws -> TPMPublicArea {
            let bytes = try #require(question[name]?.string.flatMap { Base64URL.decode($0) })
            return try TPMPublicArea(bytes[...])
        }
        var name = try #require(try area("attestation_area").name())
        if manner == .sealsForAnother { name[10] ^= 1 }
        let credential = try TPMCredential(
            Self.secret, for: name, to: try area("endorsement_area"))
        return Self.reply(
            200,
            [
                "credential_blob": .string(Base64URL.encode(credential.blob)),
                "encrypted_secret": .string(Base64URL.encode(credential.encryptedSecret)),
            ])
    }

    private static func reply(_ status: Int, _ value: JSONValue) -> WebResponse {
        WebResponse(status: status, body: value.bytes)
    }
}

/// How a machine shows that its attestation key is in a TPM of a known maker.
@Suite(.enabled(if: AgentKeyStoreTests.hasTPM, "needs swtpm"))
struct AgentEndorsementTests {
    private let maker: EndorsementAuthority

    init() throws { maker = try EndorsementAuthority() }

    private func tpm(_ kind: SoftwareTPM.EndorsementKind? = .p256) async throws -> SoftwareTPM {
        let tpm = try await SoftwareTPM()
        if let kind {
            let certificate = try maker.certify(try tpm.endorsementArea(kind))
            try tpm.leave(certificate: certificate, of: kind)
        }
        return tpm
    }

    /// Both run while it is referenced.
    private struct Machine {
        let tpm: SoftwareTPM
        let setting: SignInSetting
        let agent: Agent

        func isRegistered() async throws { _ = try await setting.device(of: agent) }
    }

    /// A machine whose keys are in that TPM, in the midst of registering.
    private func machine(
        _ tpm: SoftwareTPM, at registrar: SealingRegistrar
    ) async throws -> Machine {
        var setting = SignInSetting()
        setting.keys = AgentKeyStore(.tpm, tpm: tpm.path, random: SystemRandomSource())
        try setting.install(TestProfile(token: "t"))
        let exchange = ProviderExchange(
            web: registrar, clock: setting.clock, random: SystemRandomSource())
        let agent = try await setting.agent(
            registrar,
            serving: BuiltInExtensions(GatehouseExtension(exchange: exchange, keys: setting.keys)))
        return Machine(tpm: tpm, setting: setting, agent: agent)
    }

    private func bytes(_ value: JSONValue?) throws -> [UInt8] {
        try #require(value?.string.flatMap { Base64URL.decode($0) })
    }

    @Test(
        "It brings back what was sealed for its TPM",
        arguments: SoftwareTPM.EndorsementKind.allCases)
    func brings(_ kind: SoftwareTPM.EndorsementKind) async throws {
        let registrar = try SealingRegistrar(.seals, isStrict: true)
        let machine = try await machine(try await tpm(kind), at: registrar)
        try await machine.isRegistered()
        let evidence = try #require(registrar.evidence.last)
        let endorsement = try #require(evidence["endorsement"])
        #expect(try bytes(endorsement["secret"]) == SealingRegistrar.secret)
        // What was asked about is what is registered by.
        let question = try #require(registrar.questions.last)
        #expect(question["nonce"] == "server-nonce")
        #expect(question["x5c"] == endorsement["x5c"])
        #expect(question["attestation_area"] == endorsement["attestation_area"])
        let area = try TPMPublicArea(try bytes(endorsement["attestation_area"])[...])
        let named = try #require(evidence["attestation_key"]?.object)
        #expect(try JSONWebKey(named).publicKey?.material == area.publicKey?.material)
        let certificate = try #require(endorsement["x5c"]?.strings?.first)
        let expected = try TPMDevice(path: machine.tpm.path).endorsement()
        #expect(Base64.decode(certificate) == expected?.certificate)
    }

    @Test("Without a request it sends no data of the TPM")
    func silent() async throws {
        let registrar = try SealingRegistrar(.silent)
        let machine = try await machine(try await tpm(), at: registrar)
        try await machine.isRegistered()
        #expect(registrar.questions.isEmpty)
        #expect(registrar.evidence.last?["endorsement"] == nil)
        #expect(registrar.evidence.last?["format"] == "tpm")
    }

    @Test("A provider that does without registers it; the evidence is there all the same")
    func without() async throws {
        for manner in [.refuses, .sealsForAnother] as [SealingRegistrar.Manner] {
            let registrar = try SealingRegistrar(manner)
            let machine = try await machine(try await tpm(), at: registrar)
            try await machine.isRegistered()
            #expect(registrar.questions.count == 1)
            #expect(registrar.evidence.last?["format"] == "tpm")
            #expect(registrar.evidence.last?["endorsement"] == nil)
        }
        let registrar = try SealingRegistrar(.seals)
        let machine = try await machine(try await tpm(nil), at: registrar)
        try await machine.isRegistered()
        #expect(registrar.questions.isEmpty)
        #expect(registrar.evidence.last?["format"] == "tpm")
    }

    @Test("A refused registration says what the TPM did not show, and why")
    func reasons() async throws {
        let cases: [(SealingRegistrar.Manner, SoftwareTPM.EndorsementKind?, String)] = [
            (.refuses, .p256, "Of its TPM: chain_untrusted."),
            (.sealsForAnother, .p256, "cannot decrypt what was sealed for it"),
            (.seals, nil, "has no certificate of its manufacturer"),
        ]
        for (manner, kind, words) in cases {
            let registrar = try SealingRegistrar(manner, isStrict: true)
            let machine = try await machine(try await tpm(kind), at: registrar)
            let reason = try await eventually("the registration is refused") {
                await machine.agent.status(of: nil).devices.first?.reason
            }
            #expect(reason.contains("activation_missing.") && reason.contains(words), "\(reason)")
        }
    }

    @Test(
        "A provider that is away, or does not know its own protocol, is asked again later",
        arguments: [.isAway, .talksNonsense] as [SealingRegistrar.Manner])
    fileprivate func later(_ manner: SealingRegistrar.Manner) async throws {
        let registrar = try SealingRegistrar(manner)
        let machine = try await machine(try await tpm(), at: registrar)
        try await eventually("the registration has failed") {
            await machine.agent.status(of: nil).devices.first?.phase == "retrying" ? true : nil
        }
        #expect(registrar.evidence.isEmpty)
    }
}
