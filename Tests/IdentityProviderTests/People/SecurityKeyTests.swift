// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing
import WebAuthn

/// Security keys of people: what is asked, what is remembered, and what a project demands.
@Suite struct SecurityKeyTests {
    private func policy(_ rules: (inout WebAuthnPolicy) -> Void) -> ProjectPolicy {
        var policy = ProjectPolicy()
        rules(&policy.webauthn)
        return policy
    }

    @Test("a security key is asked for by its kind, and need not keep names")
    func options() async throws {
        let house = try await PeopleHouse(policy: policy { $0.attestation = "direct" })
        let anna = try await house.member()
        let options = try await PasskeyOptions.add(
            for: anna, kind: .securityKey, in: house.context
        ).get().publicKey
        #expect(options["hints"]?.strings == ["security-key"])
        let selection = options["authenticatorSelection"]
        #expect(selection?["authenticatorAttachment"]?.string == "cross-platform")
        #expect(selection?["residentKey"]?.string == "preferred")
        #expect(options["attestation"]?.string == "direct")
        let passkey = try await PasskeyOptions.add(for: anna, in: house.context).get().publicKey
        #expect(passkey["authenticatorSelection"]?["residentKey"]?.string == "required")
        #expect(passkey["authenticatorSelection"]?["authenticatorAttachment"] == nil)
        #expect(passkey["hints"]?.strings == [])
    }

    @Test("a credential says what its registration proved")
    func assurance() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let key = try await house.add(try house.securityKey(), for: anna)
        #expect(key.assurance == "security_key")
        let details = PasskeyDetails(key.details)
        #expect(details.transports == ["usb", "nfc"])
        #expect(details.attachment == .crossPlatform)
        #expect(details.trust == AttestationTrust.none)
        var synced = try house.passkey()
        synced.flags = 0x1D
        let passkey = try await house.add(synced, for: anna)
        #expect(passkey.assurance == "passkey")
        #expect(PasskeyDetails(passkey.details).isBackedUp)
    }

    @Test("a session remembers password and key, each with its time")
    func factors() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let key = try house.securityKey()
        let credential = try await house.add(key, for: anna)
        house.clock.advance(by: .minutes(30))
        let options = try #require(
            try await PasskeyOptions.stepUp(
                for: anna, to: .phishingResistant, in: house.context))
        let signIn = try await house.answer(
            options, with: key, handle: anna.person, replacing: anna.session
        ).get().signedIn
        #expect(signIn.session.factors.map(\.methods) == [["pwd"], ["hwk", "user", "mfa"]])
        #expect(
            signIn.session.factors.map(\.at) == [anna.session.authenticatedAt, house.clock.now])
        #expect(signIn.session.factors.last?.credential == credential.id)
        #expect(AuthenticationAssurance(signIn.session).highest == .phishingResistant)
    }

    @Test("a step up asks for keys that reach the class, and there may be none")
    func stepUpOptions() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let context = house.context
        #expect(
            try await PasskeyOptions.stepUp(for: anna, to: .phishingResistant, in: context) == nil)
        let key = try house.securityKey()
        _ = try await house.add(key, for: anna)
        #expect(
            try await PasskeyOptions.stepUp(
                for: anna, to: .phishingResistantHardware, in: context) == nil)
        let options = try #require(
            try await PasskeyOptions.stepUp(for: anna, to: .phishingResistant, in: context))
        let allowed = options.publicKey["allowCredentials"]?.array?.compactMap { $0["id"]?.string }
        #expect(allowed == [Base64URL.encode(key.credentialID)])
    }

    @Test("a passkey is offered by itself once, after a password, and never to who has a key")
    func offer() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let offered = try await PasskeyOptions.offer(for: anna, in: house.context).get()
        #expect(
            try await PasskeyOptions.offer(for: anna, in: house.context).code == .passkeyOffered)
        // User presence is not required: the browser creates it by itself.
        var quiet = try house.passkey()
        quiet.flags = 0x18
        _ = try await house.register(quiet, offered, signedIn: anna).code
        let bert = try await house.member("bert")
        _ = try await house.add(try house.securityKey(), for: bert)
        #expect(
            try await PasskeyOptions.offer(for: bert, in: house.context).code == .passkeyOffered)
        let carl = try await house.member("carl")
        house.clock.advance(by: .minutes(6))
        #expect(
            try await PasskeyOptions.offer(for: carl, in: house.context).code == .passkeyOffered)
    }

    // MARK: What a project demands

    @Test("models that are denied or not allowed are refused, in words for a person")
    func models() async throws {
        let model = "ee882879-721c-4913-9775-3dfcce97072a"
        let bytes = try #require(AAGUID(model)).bytes
        let denied = try await PeopleHouse(policy: policy { $0.deniedAAGUIDs = [model] })
        var key = try denied.securityKey()
        key.aaguid = bytes
        let anna = try await denied.member()
        let options = try await PasskeyOptions.add(for: anna, in: denied.context).get()
        #expect(try await denied.register(key, options, signedIn: anna).code == .keyNotAllowed)
        let house = try await PeopleHouse(
            policy: policy {
                $0.attestation = "direct"
                $0.allowedAAGUIDs = [model]
            })
        let bert = try await house.member()
        let other = try await PasskeyOptions.add(for: bert, in: house.context).get()
        #expect(
            try await house.register(try house.securityKey(), other, signedIn: bert).code
                == .keyNotAllowed)
    }

    @Test("a model that is denied later opens nothing more")
    func deniedLater() async throws {
        let house = try await PeopleHouse()
        let (person, key) = try await house.keyHolder()
        var project = house.project
        project.policy.webauthn.deniedAAGUIDs = ["00000000-0000-0000-0000-000000000000"]
        let context = house.context(of: Tenant(project: project, issuer: PeopleHouse.issuer))
        let options = try await PasskeyOptions.signIn(in: context).get()
        let text = try key.assertion(challenge: options.ceremony, userHandle: person.id.bytes)
        let outcome = try await CeremonyRunner(context).run(
            PasskeySignIn(ceremony: options.ceremony, response: try house.json(text)))
        #expect(outcome.code == .keyNotAllowed)
    }

    @Test("where keys must stay in their device, one that may leave it is refused")
    func backup() async throws {
        let house = try await PeopleHouse(policy: policy { $0.backupEligible = false })
        let anna = try await house.member()
        var synced = try house.passkey()
        synced.flags = 0x0D
        let options = try await PasskeyOptions.add(for: anna, in: house.context).get()
        #expect(try await house.register(synced, options, signedIn: anna).code == .keyNotAllowed)
        _ = try await house.add(try house.securityKey(), for: anna)
    }

    @Test("where attestation is demanded, a key that brings none is refused")
    func attestation() async throws {
        let house = try await PeopleHouse(
            policy: policy {
                $0.attestation = "direct"
                $0.attestationTrust = "any"
            })
        let anna = try await house.member()
        let options = try await PasskeyOptions.add(for: anna, in: house.context).get()
        #expect(
            try await house.register(try house.securityKey(), options, signedIn: anna).code
                == .keyNotAllowed)
    }

    @Test("user verification is as the project has it, and without it a key alone is one factor")
    func verification() async throws {
        var unverified = try await PeopleHouse().securityKey()
        unverified.flags = 0x01
        let strict = try await PeopleHouse()
        let options = try await strict.options("anna").get()
        #expect(try await strict.register(unverified, options).code == .passkeyRefused)
        let house = try await PeopleHouse(policy: policy { $0.userVerification = "discouraged" })
        var key = try house.securityKey()
        key.flags = 0x01
        let person = try await house.register(key, try await house.options("anna").get())
            .get().person
        let session = try await house.signIn(key, of: person).get().signedIn.session
        #expect(session.authenticationMethods == "hwk user")
        #expect(AuthenticationAssurance(session).highest == .password)
    }

    @Test("a counter that does not rise is refused, or let in where the project says so")
    func counter() async throws {
        for (rule, isRefused) in [("refuse", true), ("report", false)] {
            let house = try await PeopleHouse(policy: policy { $0.signCounter = rule })
            let (person, made) = try await house.keyHolder()
            var key = made
            key.signCount = 7
            #expect(try await house.signIn(key, of: person).code == nil)
            #expect((try await house.signIn(key, of: person).code != nil) == isRefused)
        }
    }

    @Test("a project's own algorithms are offered, and no other is taken")
    func algorithms() async throws {
        let house = try await PeopleHouse(policy: policy { $0.algorithms = ["EdDSA"] })
        let options = try await house.options("anna").get()
        let offered = options.publicKey["pubKeyCredParams"]?.array?.compactMap {
            $0["alg"]?.integer
        }
        #expect(offered == [-8])
        #expect(try await house.register(try house.passkey(), options).code == .passkeyRefused)
    }

    @Test("related origins and pages that hold ours are as the project lists them")
    func origins() async throws {
        let house = try await PeopleHouse(
            policy: policy { $0.relatedOrigins = ["https://login.example.net"] })
        var key = try house.passkey()
        key.origin = "https://login.example.net"
        let options = try await house.options("anna").get()
        #expect(try await house.register(key, options).code == nil)
        var stranger = try house.passkey()
        stranger.origin = "https://example.net"
        #expect(
            try await house.register(stranger, house.options("bert").get()).code
                == .passkeyRefused)
    }
}
