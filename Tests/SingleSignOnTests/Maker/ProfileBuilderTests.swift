// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import SingleSignOn
import Testing

@Suite struct ProfileBuilderTests {
    private func request(_ method: PlatformSSOAuthenticationMethod = .password) -> ProfileRequest {
        var settings = PlatformSSOSettings()
        settings.authenticationMethod = method
        settings.useSharedDeviceKeys = true
        var request = ProfileRequest(
            issuer: "https://idp.example.com/p/qa", displayName: "Example",
            teamIdentifier: "ABCDE12345", extensionIdentifier: "com.example.app.sso",
            platformSSO: settings)
        request.appIdentifier = "com.example.app"
        request.registrationToken = Secret("token & <more>")
        return request
    }

    private func fault(_ request: ProfileRequest) -> ProfileRequestError? {
        do throws(ProfileRequestError) {
            _ = try ProfileBuilder(request)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "What is made is read back as it was asked for, without findings",
        arguments: PlatformSSOAuthenticationMethod.allCases)
    func profile(method: PlatformSSOAuthenticationMethod) throws {
        let maker = try ProfileBuilder(request(method))
        let inspection = try ProfileInspection(try maker.mobileconfig())
        #expect(inspection.findings == [])
        #expect(inspection.subject == .profile(maker.profile))
        let configuration = try #require(inspection.singleSignOn.first)
        #expect(configuration.urls == ["https://idp.example.com/p/qa/"])
        #expect(configuration.authenticationMethod == method)
        #expect(configuration.registrationToken == Secret("token & <more>"))
        #expect(configuration.extensionData == [.init("issuer", "https://idp.example.com/p/qa")])
        #expect(
            maker.profile.associatedDomains.first?.associatedDomains
                == ["authsrv:idp.example.com", "webcredentials:idp.example.com"])
        #expect(maker.profile.envelope.identifier == "com.example.idp.p.qa.platform-sso")
    }

    @Test("The declaration says the same", arguments: PlatformSSOAuthenticationMethod.allCases)
    func declaration(method: PlatformSSOAuthenticationMethod) throws {
        let maker = try ProfileBuilder(request(method))
        let inspection = try ProfileInspection(try maker.declaration())
        #expect(inspection.findings == [])
        #expect(inspection.singleSignOn == maker.profile.singleSignOn)
    }

    @Test("Every key goes through the declaration and back")
    func everyKey() throws {
        var configuration = SSOConfiguration()
        configuration.extensionIdentifier = "com.example.app.sso"
        configuration.teamIdentifier = "ABCDE12345"
        configuration.type = .redirect
        configuration.urls = ["https://a.example/"]
        configuration.hosts = ["a.example"]
        configuration.realm = "R"
        configuration.extensionData = [.init("a", [1, "x", true])]
        configuration.screenLockedBehavior = .doNotHandle
        configuration.deniedBundleIdentifiers = ["com.a"]
        configuration.registrationToken = Secret("t")
        configuration.platformSSO = PlatformSSOSettings(entries: Self.allSettings)
        #expect(configuration.platformSSO?.entries.count == PlatformSSOSettings.keys.count)
        let declaration = SSODeclaration(
            identifier: "i", serverToken: "s", configuration: configuration)
        let inspection = try ProfileInspection(declaration.json.bytes)
        #expect(inspection.singleSignOn == [configuration])
        #expect(inspection.subject == .declaration(declaration))
        let unknown: Set<ProfileIssue.Code> = [
            .unknownKey, .misspeltKey, .misplacedKey, .wrongType,
        ]
        #expect(inspection.findings.allSatisfy { !unknown.contains($0.code) })
    }

    /// A value for each key of `PlatformSSO`, by its form.
    private static var allSettings: [PropertyList.Entry] {
        PlatformSSOSettings.descriptions.map { key in
            PropertyList.Entry(key.name, sample(key.form))
        }
    }

    private static func sample(_ form: KeyForm) -> PropertyList {
        switch form {
        case .string, .anything: "x"
        case .choice(let choices): .string(choices.first?.value ?? "")
        case .boolean: true
        case .integer(let least): .integer(least ?? 1)
        case .real: .real(1)
        case .date: .date(Timestamp(seconds: 0))
        case .data: .data([1, 2])
        case .list(let form): [sample(form)]
        case .map(let form): ["right": sample(form)]
        case .dictionary(let keys): Sample.list(keys.map { ($0.name, sample($0.form)) })
        }
    }

    @Test("The same request gives the same bytes; other settings keep the UUIDs")
    func deterministic() throws {
        let first = try ProfileBuilder(request())
        #expect(try first.mobileconfig() == ProfileBuilder(request()).mobileconfig())
        #expect(try first.declaration() == ProfileBuilder(request()).declaration())
        var changed = request()
        changed.platformSSO.loginFrequency = 7200
        let second = try ProfileBuilder(changed)
        #expect(second.profile.envelope.uuid == first.profile.envelope.uuid)
        #expect(second.profile.payloads.map(\.head.uuid) == first.profile.payloads.map(\.head.uuid))
        func token(_ maker: ProfileBuilder) throws -> JSONValue? {
            try JSONParser.parse(maker.declaration(), maximumBytes: 100_000)["ServerToken"]
        }
        #expect(try token(first) != token(second))
        changed.issuer = "https://idp.example.com/p/prod"
        #expect(try ProfileBuilder(changed).profile.envelope.uuid != first.profile.envelope.uuid)
    }

    @Test("Web login may load the provider, and new accounts have claims")
    func additions() throws {
        var request = request(.openID)
        request.platformSSO.enableCreateUserAtLogin = true
        request.platformSSO.newUserAuthenticationMethods = [.openID]
        let settings = try #require(
            try ProfileBuilder(request).profile.singleSignOn.first?.platformSSO)
        #expect(settings.webLoginURLAllowList == ["idp.example.com"])
        #expect(settings.tokenToUserMapping?.accountName == "account_name")
        #expect(settings.tokenToUserMapping?.fullName == "name")
        request.platformSSO.tokenToUserMapping = TokenToUserMapping(
            entries: [.init("AccountName", "preferred_username")])
        let own = try ProfileBuilder(request).profile.singleSignOn.first?.platformSSO
        #expect(own?.tokenToUserMapping?.accountName == "preferred_username")
    }

    @Test("Other addresses of the extension are there, and the app is associated with their hosts")
    func otherAddresses() throws {
        var request = request()
        request.additionalURLs = ["https://login.example.com/", "https://idp.example.com/other/"]
        let maker = try ProfileBuilder(request)
        #expect(
            maker.profile.singleSignOn.first?.urls
                == ["https://idp.example.com/p/qa/"] + request.additionalURLs)
        #expect(
            maker.profile.associatedDomains.first?.associatedDomains == [
                "authsrv:idp.example.com", "authsrv:login.example.com",
                "webcredentials:idp.example.com",
            ])
        #expect(try ProfileInspection(maker.mobileconfig()).findings == [])
        for url in ["https://idp.example.com/p/qa/", "https://login.example.com/?x", "x"] {
            request.additionalURLs = [url]
            guard case .findings? = fault(request) else {
                Issue.record("\(url) was taken")
                continue
            }
        }
    }

    @Test("Headers are said in the declaration, and refused where they would do nothing")
    func headers() throws {
        var request = request()
        request.platformSSO.additionalHTTPHeaders = ["X-Proxy": "a"]
        let maker = try ProfileBuilder(request)
        let inspection = try ProfileInspection(maker.declaration())
        #expect(inspection.findings == [])
        #expect(
            inspection.singleSignOn.first?.platformSSO?.additionalHTTPHeaders == ["X-Proxy": "a"])
        do throws(ProfileRequestError) {
            _ = try maker.mobileconfig()
            Issue.record("a profile has them")
        } catch {
            guard case .findings(let findings) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(findings.map(\.code) == [.misplacedKey])
        }
        request.platformSSO.additionalHTTPHeaders = ["Host": "a"]
        #expect(fault(request) != nil)
    }

    @Test("Without an app no domain is said")
    func withoutApp() throws {
        var request = request()
        request.appIdentifier = nil
        #expect(try ProfileBuilder(request).profile.payloads.count == 1)
    }

    @Test(
        "An issuer that no Mac would take is refused",
        arguments: [
            "http://idp.example.com", "https://idp.example.com/?x", "https://idp.example.com/#x",
            "idp.example.com", "https://", "http://localhost.example.com",
        ])
    func issuers(issuer: String) {
        var request = request()
        request.issuer = issuer
        #expect(fault(request) == .issuer(issuer))
    }

    @Test("This machine may go without TLS")
    func local() {
        var request = request()
        request.issuer = "http://localhost:8080"
        #expect(fault(request) == nil)
    }

    @Test("What would not work is refused with what was found")
    func findings() {
        var wrong = request()
        wrong.platformSSO.useSharedDeviceKeys = nil
        wrong.platformSSO.enableAuthorization = true
        guard case .findings(let findings)? = fault(wrong) else {
            Issue.record("made")
            return
        }
        #expect(findings.map(\.code) == [.needsSharedKeys])
        var user = request()
        user.channel = .user
        #expect(fault(user)?.description.contains("device channel only") == true)
        var method = request()
        method.platformSSO.authenticationMethod = nil
        #expect(fault(method) != nil)
        var team = request()
        team.extensionIdentifier = "not an identifier"
        #expect(fault(team) != nil)
        var app = request()
        app.appIdentifier = "a b"
        #expect(fault(app) == .app("a b"))
        var token = request()
        token.registrationToken = Secret("\u{0}")
        #expect(fault(token)?.description.contains("control character") == true)
    }

    @Test("UUIDs of names are those of RFC 9562")
    func uuids() {
        // Appendix A.4 has the one of a DNS name; this one is of Python's uuid5.
        #expect(
            NameBasedUUID.uuid(url: "https://idp.example.com")
                == "F409ED13-2DC3-53D6-9A9D-2031B678E973")
        #expect(UUIDText.decode(NameBasedUUID.uuid(url: "x", parts: ["a", "b"])) != nil)
        #expect(UUIDText.decode("9C3B4B2B1B7F5E638B9C2B2E4F2F6B11") == nil)
        #expect(UUIDText.decode("9C3B4B2B-1B7F-5E63-8B9C-2B2E4F2F6B1G") == nil)
        #expect(UUIDText.decode("") == nil)
    }
}
