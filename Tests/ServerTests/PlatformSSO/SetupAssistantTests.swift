// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderDevices
import ProviderTokens
import Storage
import Support
import Testing

/// A Mac that is being set up.
@Suite struct SetupAssistantTests {
    private static let settings =
        #""setup_assistant_team":"ABCDE12345","setup_assistant_extension":"com.example.app.sso","#
        + #""setup_assistant_app":"com.example.app","#
        + #""setup_assistant_package":"https://mdm.example.com/app.plist""#

    private func cookie(_ answer: DeviceHouse.Answer) throws -> String {
        let set = try #require(answer.headers[.setCookie])
        #expect(set.contains("HttpOnly") && set.contains("SameSite=Lax"))
        return String(set.prefix { $0 != ";" })
    }

    @Test("the response for device management contains profile, package and sign-in, with 403")
    func requirement() async throws {
        let house = try await DeviceHouse(Self.settings)
        let answer = try await house.send(.get, "/platform-sso/setup")
        #expect(answer.status == 403)
        #expect(answer.json["code"] == "com.apple.psso.required")
        let details = answer.json["details"]
        let issuer = DeviceHouse.issuer
        #expect(details?["ProfileURL"]?.string == issuer + "/platform-sso/setup/profile")
        #expect(details?["AuthURL"]?.string == issuer + "/platform-sso/setup/sign-in")
        #expect(details?["Package"] == ["ManifestURL": "https://mdm.example.com/app.plist"])
    }

    @Test("the package is held to certificates where there are any, and to whether they hold")
    func pins() async throws {
        let root = try PersonalAuthority().makers.root.der
        let pin = Base64.encode(root)
        let house = try await DeviceHouse(
            Self.settings + #","setup_assistant_package_certificates":["\#(pin)"],"#
                + #""setup_assistant_package_revocation":true"#)
        let answer = try await house.send(.get, "/platform-sso/setup")
        #expect(
            answer.json["details"]?["Package"] == [
                "ManifestURL": "https://mdm.example.com/app.plist",
                "PinningCerts": [.string(pin)], "PinningRevocationCheckRequired": true,
            ])
    }

    @Test("the profile registers during set-up, and holds no token")
    func profile() async throws {
        let house = try await DeviceHouse(
            Self.settings + #","profile":["EnableCreateUserAtLogin=true","LoginFrequency=7200"]"#)
        let answer = try await house.send(.get, "/platform-sso/setup/profile")
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "application/x-apple-aspen-config")
        let text = String(decoding: answer.body, as: UTF8.self)
        for part in [
            "EnableRegistrationDuringSetup", "com.example.app.sso", "ABCDE12345",
            "EnableCreateUserAtLogin", "<integer>7200</integer>", "authsrv:localhost",
            DeviceHouse.issuer,
        ] { #expect(text.contains(part), "\(part)") }
        #expect(!text.contains("RegistrationToken"))
    }

    @Test("the profile is signed where a key for that is configured; a failure gives no profile")
    func signedProfile() async throws {
        let now = ManualClock().now
        let house = try await DeviceHouse(
            Self.settings, sign: { Array("\($1 == now) ".utf8) + $0 })
        let answer = try await house.send(.get, "/platform-sso/setup/profile")
        #expect(answer.headers[.contentType] == "application/x-apple-aspen-config")
        #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix("true <?xml"))
        struct Failure: Error {}
        let broken = try await DeviceHouse(Self.settings, sign: { _, _ in throw Failure() })
        let refused = try await broken.send(.get, "/platform-sso/setup/profile")
        #expect(refused.status == 503)
        #expect(!String(decoding: refused.body, as: UTF8.self).contains("plist"))
    }

    @Test("a person signs in, and the Mac is sent into its system with a token that works")
    func signIn() async throws {
        let house = try await DeviceHouse(Self.settings)
        let begun = try await house.send(.get, "/platform-sso/setup/sign-in")
        #expect(begun.status == 303)
        let own = try cookie(begun)
        let callback = try await house.signIn(for: begun)
        let path = String(callback.dropFirst(DeviceHouse.issuer.count))
        #expect(path.hasPrefix("/platform-sso/setup/callback?code="))
        // Another web view cannot finish it, nor can one without a cookie.
        let other = try await house.send(.get, "/platform-sso/setup/sign-in")
        #expect(try await house.send(.get, path, cookie: try cookie(other)).status == 400)
        #expect(try await house.send(.get, path).status == 400)
        let answer = try await house.send(.get, path, cookie: own)
        #expect(answer.status == 308)
        let location = try #require(answer.headers[.location])
        let start = "apple-remotemanagement-user-login://authentication-results?access-token="
        #expect(location.hasPrefix(start))
        let token = String(location.dropFirst(start.count))
        let verified = try await AccessTokenVerifier(house.provider).verify(
            token, tenant: try await house.tenant(), for: .provider, shownWith: .bearer,
            now: house.clock.now)
        let anna = try await house.person("anna")
        #expect(verified?.claims.subject == anna.id.description)
        #expect(verified?.hasScope("openid") == true && verified?.hasScope("email") == true)
        #expect(verified?.hasScope("urn:apple:platformsso") == false)
        // Once.
        #expect(try await house.send(.get, path, cookie: own).status == 400)
    }

    @Test("the token registers no device: that requires a separate sign-in")
    func tokenRegistersNothing() async throws {
        let house = try await DeviceHouse(Self.settings + #","registration_by_people":true"#)
        let begun = try await house.send(.get, "/platform-sso/setup/sign-in")
        let callback = try await house.signIn(for: begun)
        let answer = try await house.send(
            .get, String(callback.dropFirst(DeviceHouse.issuer.count)), cookie: try cookie(begun))
        let token = try #require(answer.headers[.location]?.split(separator: "=").last)
        let machine = try TestMachine(house)
        #expect(
            try await machine.register(bearer: String(token)).error == "registration_refused")
    }

    @Test("no state, no code, an error and a code from elsewhere lead nowhere")
    func refusals() async throws {
        let house = try await DeviceHouse(Self.settings)
        let begun = try await house.send(.get, "/platform-sso/setup/sign-in")
        let own = try cookie(begun)
        let callback = try await house.signIn(for: begun)
        let state = try #require(
            callback.split(separator: "&").first { $0.hasPrefix("state=") })
        for query in [
            "", "code=x", "error=access_denied&\(state)", "code=guess&\(state)",
            "code=x&code=y&\(state)",
        ] {
            let answer = try await house.send(
                .get, "/platform-sso/setup/callback?\(query)", cookie: own)
            #expect(answer.status == 400 && answer.json["code"] == "setup_refused")
            #expect(answer.headers[.location] == nil)
        }
    }

    @Test("where nothing is set up there is nothing")
    func closed() async throws {
        let house = try await DeviceHouse()
        for path in ["", "/profile", "/sign-in", "/callback?code=x&state=y"] {
            #expect(try await house.send(.get, "/platform-sso/setup\(path)").status == 404)
        }
    }

    @Test("pages may send the form on into the system, and only there")
    func formAction() throws {
        let callback = try #require(
            RedirectURI("https://idp.example.com/platform-sso/setup/callback"))
        #expect(
            SetupAssistantSignIn.origins(behind: callback)
                == "https://idp.example.com apple-remotemanagement-user-login:")
        let other = try #require(RedirectURI("https://app.example.com/callback"))
        #expect(SetupAssistantSignIn.origins(behind: other) == "https://app.example.com")
    }
}
