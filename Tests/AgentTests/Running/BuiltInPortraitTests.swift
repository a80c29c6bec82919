import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Platform
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Synchronization
import Testing
import UserClient

#if canImport(Glibc)
    import Glibc
#endif

/// What the built-in extension says of people: their picture, where the ID token names one.
@Suite struct BuiltInPortraitTests {
    /// Keeps one picture, and remembers who asked how.
    private final class PictureHost: WebTransport {
        private let reply: WebResponse
        private let asked = Mutex<[WebRequest]>([])

        init(_ reply: WebResponse) { self.reply = reply }

        var requests: [WebRequest] { asked.withLock { $0 } }

        func answer(to request: WebRequest) async throws -> WebResponse {
            asked.withLock { $0.append(request) }
            return reply
        }
    }

    /// Registers all people, and describes them as the built-in extension does.
    private final class Described: RegistrationExtension, ExtensionSource {
        private let registers = SignInSetting.everybody
        private let describes: GatehouseExtension
        private let came = Mutex<[[UInt8]?]>([])

        init(_ describes: GatehouseExtension) { self.describes = describes }

        /// What came of asking for pictures.
        var pictures: [[UInt8]?] { came.withLock { $0 } }

        func find(_ configuration: SSOConfiguration) -> InstalledExtension? {
            InstalledExtension(self, revision: "1", hasKeyService: true)
        }

        func beginDeviceRegistration(
            _ manager: any ExtensionLoginManager, options: ExtensionRequestOptions
        ) async -> ExtensionRegistrationResult {
            await registers.beginDeviceRegistration(manager, options: options)
        }

        func beginUserRegistration(
            _ manager: any ExtensionLoginManager, userName: String?,
            method: PlatformSSOAuthenticationMethod,
            options: ExtensionRequestOptions
        ) async -> ExtensionRegistrationResult {
            await registers.beginUserRegistration(
                manager, userName: userName, method: method, options: options)
        }

        func keyWillRotate(
            _ rotation: KeyRotation, _ manager: any ExtensionLoginManager
        ) async -> Bool { true }

        var describesPeople: Bool { describes.describesPeople }

        func displayNames(
            of groups: [String], _ manager: any ExtensionLoginManager
        ) async -> [String: String]? { await describes.displayNames(of: groups, manager) }

        func profilePicture(_ manager: any ExtensionLoginManager) async -> [UInt8]? {
            let picture = await describes.profilePicture(manager)
            came.withLock { $0.append(picture) }
            return picture
        }

        func registrationDidComplete() async {}
        func registrationDidCancel() async {}
        func configurationRemoved() async {}
    }

    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 7]
    private static let address = "https://pictures.example.com/anna.png"
    private let setting = SignInSetting()

    /// Anna has signed in, and her ID token says that of her.
    private func signedIn(
        _ claims: [String: JSONValue?], _ host: any WebTransport, hasPictures: Bool = true
    ) async throws -> Agent {
        try await signedIn(claims, described(host), hasPictures: hasPictures)
    }

    private func described(_ host: any WebTransport) -> Described {
        let exchange = ProviderExchange(
            web: NoProvider(), clock: setting.clock, random: SystemRandomSource())
        return Described(
            GatehouseExtension(exchange: exchange, keys: setting.keys, pictures: host))
    }

    private func signedIn(
        _ claims: [String: JSONValue?], _ served: Described, hasPictures: Bool = true
    ) async throws -> Agent {
        var profile = TestProfile(token: "t")
        profile.hasPictures = hasPictures
        profile.groups = ["staff"]
        let (agent, provider) = try await setting.registered(profile, serving: served)
        provider.say(claims)
        provider.say(groups: ["staff"])
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        return agent
    }

    private func person(_ agent: Agent) async -> AgentStatus.Person? {
        await agent.status(of: "anna").people.first
    }

    private func portrait(_ agent: Agent) async throws -> PersonDisplayInfo {
        try await eventually("the extension has said something") {
            await agent.record.people["anna"]?.portrait
        }
    }

    @Test("The avatar of the ID token is fetched, and its host gets no personal data")
    func picture() async throws {
        let host = PictureHost(WebResponse(status: 200, body: Self.png))
        let agent = try await signedIn(
            ["picture": .string(Self.address), "name": "Anna \u{1B}[1mJohnson"], host)
        #expect(try await portrait(agent).picture?.bytes == Self.png)
        let request = try #require(host.requests.first)
        #expect(host.requests.count == 1 && request.url == Self.address)
        #expect(request.method == "GET" && request.body == nil)
        #expect(request.headers.map(\.0) == ["accept"])
        #expect(await person(agent)?.name == "Anna [1mJohnson")
        let whole = await agent.status(of: nil)
        #expect(AgentStatus(whole.json) == whole)
    }

    @Test(
        "Nothing is fetched from an address that is not https, and none is no failure",
        arguments: [
            "http://pictures.example.com/a.png", "http://localhost:631/a.png", "file:///etc/shadow",
            "https://", nil,
        ])
    func elsewhere(_ address: String?) async throws {
        let host = PictureHost(WebResponse(status: 200, body: Self.png))
        let agent = try await signedIn(["picture": address.map(JSONValue.string)], host)
        let signedIn = try await eventually("anna has signed in") { await person(agent) }
        #expect(signedIn.name == nil)
        if address != "https://" { #expect(try await portrait(agent).picture == nil) }
        #expect(host.requests.isEmpty)
    }

    @Test("What is no picture, or no answer at all, is none", arguments: [200, 404, 302, 503])
    func unusable(status: Int) async throws {
        let host = PictureHost(WebResponse(status: status, body: Array("<svg/>".utf8)))
        let agent = try await signedIn(["picture": .string(Self.address)], host)
        try await eventually("it was asked for") { host.requests.isEmpty ? nil : true }
        #expect(await person(agent)?.picture == nil)
        await #expect(throws: AgentRefusal.noPicture) { try await agent.picture(of: "anna") }
    }

    /// Remembers what would be in the log.
    private final class Log: AgentEventLog {
        private let lines = Mutex<[String]>([])
        var text: String { lines.withLock { $0.joined(separator: "\n") } }
        func prompt(_ subject: RegistrationSubject) {}
        func signInDue(_ person: String, _ reason: SignInSchedule.Reason) {}
        func registrationFailed(_ subject: RegistrationSubject, _ reason: String) {}
        func failed(_ what: String, _ error: any Error) {
            lines.withLock { $0.append("\(what): \(error)") }
        }
    }

    @Test("Why a picture was not fetched is in the log, also of a machine that may not be asked")
    func logged() async throws {
        for (host, words) in [
            (PictureHost(WebResponse(status: 503, body: [])) as any WebTransport, "503"),
            (
                RestrictedWebClient(OutgoingRequestPolicy(asksOwnMachine: false)),
                "cannot be fetched"
            ),
        ] {
            let log = Log()
            var setting = SignInSetting()
            setting.notices = log
            var profile = TestProfile(token: "t")
            profile.hasPictures = true
            let (agent, provider) = try await setting.registered(profile, serving: described(host))
            provider.say(["picture": "https://127.0.0.1:9/anna.png"])
            try await agent.registerPerson(
                "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
            try await eventually("it is in the log") { log.text.contains(words) ? true : nil }
            #expect(log.text.contains("anna"))
        }
    }

    @Test("Without the profile's wish for pictures nothing is fetched")
    func unwanted() async throws {
        let host = PictureHost(WebResponse(status: 200, body: Self.png))
        let agent = try await signedIn(
            ["picture": .string(Self.address)], host, hasPictures: false)
        #expect(try await portrait(agent).picture == nil)
        #expect(host.requests.isEmpty)
    }

    /// A port of this machine that takes connections and says nothing.
    private struct Port {
        let socket: Int32
        let number: UInt16

        init() throws {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let socket = Glibc.socket(
                AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            let isOpen = withUnsafeMutableBytes(of: &address) { bytes in
                guard let place = bytes.bindMemory(to: sockaddr.self).baseAddress else {
                    return false
                }
                return bind(socket, place, length) == 0 && listen(socket, 8) == 0
                    && getsockname(socket, place, &length) == 0
            }
            try #require(isOpen)
            self.socket = socket
            number = UInt16(bigEndian: address.sin_port)
        }

        /// Whether a connection arrived since the last call.
        func wasReached() -> Bool {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { return false }
            close(connection)
            return true
        }
    }

    @Test(
        "Attack 45: the agent fetches no avatar from a private network, under any host name",
        arguments: ["pictures.example.com", "127.0.0.1", "2130706433"], [false, true])
    func walls(host: String, isAllowed: Bool) async throws {
        let port = try Port()
        defer { close(port.socket) }
        let allowed = isAllowed ? OutgoingRequestPolicy.Permission("127.0.0.1") : nil
        let served = described(
            RestrictedWebClient(
                OutgoingRequestPolicy([allowed].compactMap(\.self), asksOwnMachine: false)
            ) { name in
                // The system resolves IP addresses itself.
                guard name == "pictures.example.com" else {
                    return try await HostResolver.addresses(of: name)
                }
                return ["127.0.0.1"].compactMap { NetworkAddress(text: $0) }
            })
        let address = "https://\(host):\(port.number)/anna.png"
        let agent = try await signedIn(["picture": .string(address)], served)
        if isAllowed {
            try await eventually("somebody connects") { port.wasReached() ? true : nil }
        } else {
            let came = try await eventually("it was asked for") { served.pictures.first }
            #expect(came == nil && !port.wasReached())
        }
        #expect(await agent.record.people["anna"]?.portrait?.picture == nil)
    }

    @Test("Without a word of where, public machines alone are asked")
    func standard() async throws {
        let port = try Port()
        defer { close(port.socket) }
        let exchange = ProviderExchange(
            web: NoProvider(), clock: setting.clock, random: SystemRandomSource())
        let served = Described(GatehouseExtension(exchange: exchange, keys: setting.keys))
        _ = try await signedIn(
            ["picture": .string("https://localhost:\(port.number)/anna.png")], served)
        let came = try await eventually("it was asked for") { served.pictures.first }
        #expect(came == nil && !port.wasReached())
    }
}
