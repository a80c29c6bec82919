import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Foundation
import JOSE
import PlatformSSO
import Primitives
import Support
import Testing

/// What extensions say of people who have signed in: names of their groups, and a picture.
@Suite struct AgentPortraitTests {
    private let setting = SignInSetting()
    private let served = ScriptedExtension(configuration: PlayedProvider.configuration)
    private let relay = Relay()
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    private static var profile: TestProfile {
        var profile = TestProfile(token: "t", frequency: nil)
        profile.groups = ["staff", "admins", "guests"]
        profile.hasPictures = true
        return profile
    }

    private func registered(
        _ portrait: ScriptedExtension.Portrait, _ profile: TestProfile = profile
    ) async throws -> (Agent, PlayedProvider) {
        let (agent, provider) = try await setting.registered(profile, relay: relay, serving: served)
        provider.say(groups: ["staff", "admins"])
        served.say(portrait)
        try await register("anna", agent)
        return (agent, provider)
    }

    private func register(_ name: String, _ agent: Agent) async throws {
        let conversation = ScriptedConversation([PlayedProvider.password])
        try await agent.registerPerson(name, repair: false, conversation)
    }

    private func signIn(_ agent: Agent) async throws {
        try await agent.signIn("anna", ScriptedConversation([PlayedProvider.password]))
    }

    private func person(_ agent: Agent) async -> AgentStatus.Person? {
        await agent.status(of: "anna").people.first
    }

    /// How often it was asked for names.
    private var asked: Int {
        served.calls.filter { if case .names = $0 { true } else { false } }.count
    }

    private func portrait(_ agent: Agent) async throws -> PersonDisplayInfo {
        try await eventually("the extension has said something") {
            await agent.record.people["anna"]?.portrait
        }
    }

    @Test("After a login names and picture are asked for, kept, and shown in the status")
    func shown() async throws {
        let (agent, _) = try await registered(
            .init(names: ["staff": "The staff", "guests": "Not asked"], picture: Self.png))
        _ = try await portrait(agent)
        #expect(served.calls.contains(.names(["staff", "admins"])))
        let status = try #require(await person(agent))
        #expect(status.groups.map(\.identifier) == ["staff", "admins"])
        #expect(status.groups.map(\.name) == ["The staff", nil])
        #expect(status.picture?.format == "png" && status.picture?.length == Self.png.count)
        let whole = await agent.status(of: nil)
        #expect(AgentStatus(whole.json) == whole)
        let picture = try await agent.picture(of: "anna")
        #expect(picture["data"]?.string == Base64URL.encode(Self.png))
        await #expect(throws: AgentRefusal.noPicture) { try await agent.picture(of: "bea") }
    }

    @Test("Where the profile wants no pictures none is asked for")
    func noPictures() async throws {
        var profile = Self.profile
        profile.hasPictures = false
        let (agent, _) = try await registered(.init(picture: Self.png), profile)
        #expect(try await portrait(agent).picture == nil)
        #expect(!served.calls.contains(.picture))
    }

    @Test("An extension that has nothing to say is not asked")
    func silent() async throws {
        let (agent, provider) = try await setting.registered(
            Self.profile, relay: relay, serving: served)
        provider.say(groups: ["staff"])
        try await register("anna", agent)
        #expect(await agent.record.people["anna"]?.portrait == nil)
        #expect(asked == 0)
        #expect(await person(agent)?.groups.map(\.name) == [nil])
    }

    @Test("It is asked again a day later or for other groups, and not before")
    func again() async throws {
        let (agent, provider) = try await registered(.init(names: ["staff": "Staff"]))
        _ = try await portrait(agent)
        try await signIn(agent)
        #expect(asked == 1)
        provider.say(groups: ["staff"])
        try await signIn(agent)
        try await eventually("other groups") { asked == 2 ? true : nil }
        try await eventually("they are kept") {
            await agent.record.people["anna"]?.portrait?.groups == ["staff"] ? true : nil
        }
        setting.clock.advance(by: .days(1))
        try await signIn(agent)
        try await eventually("a day later") { asked == 3 ? true : nil }
    }

    @Test("An extension that fails changes nothing, and is asked again after the next login")
    func failing() async throws {
        let (agent, _) = try await registered(.init(names: ["staff": "Staff"], picture: Self.png))
        let before = try await portrait(agent)
        served.say(.init(names: nil, picture: nil))
        setting.clock.advance(by: .days(2))
        for round in 2...3 {
            try await signIn(agent)
            try await eventually("it is asked") { asked == round ? true : nil }
        }
        #expect(await agent.record.people["anna"]?.portrait == before)
    }

    @Test("Names have at most 128 characters, no direction controls, and are not empty")
    func names() async throws {
        let long = String(repeating: "x", count: 400)
        let (agent, _) = try await registered(
            .init(
                names: [
                    "staff": "A\u{1B}[31m\n\u{202E}B\u{9F}\u{2028}C\u{200B}\u{2066}",
                    "admins": "\u{7}\u{202A}",
                ]))
        #expect(try await portrait(agent).names == ["staff": "A[31m B C"])
        served.say(.init(names: ["staff": long]))
        setting.clock.advance(by: .days(1))
        try await signIn(agent)
        try await eventually("the long one") {
            let name = await agent.record.people["anna"]?.portrait?.names["staff"]
            return name == String(repeating: "x", count: 128) ? true : nil
        }
    }

    @Test(
        "What is no picture, or a large one, is not kept",
        arguments: [
            Array("<svg/>".utf8), Array("GIF89a".utf8), [0x89, 0x50],
            png + [UInt8](repeating: 0, count: Avatar.greatestLength),
        ] as [[UInt8]])
    func unusable(bytes: [UInt8]) async throws {
        let (agent, _) = try await registered(.init(picture: bytes))
        #expect(try await portrait(agent).picture == nil)
    }

    @Test("A picture of the greatest length is kept, and so are JPEGs")
    func usable() {
        let rest = [UInt8](repeating: 0, count: Avatar.greatestLength - Self.png.count)
        #expect(Avatar(Self.png + rest)?.format == .png)
        #expect(Avatar([0xFF, 0xD8, 0xFF, 0xE0])?.format == .jpeg)
        #expect(Avatar([]) == nil)
    }

    @Test("Sixteen pictures are kept, the newest ones")
    func many() async throws {
        let (agent, _) = try await registered(.init(picture: Self.png))
        _ = try await portrait(agent)
        for number in 1...Avatar.greatestCount {
            setting.clock.advance(by: .seconds(1))
            let name = "person-\(number)"
            try await register(name, agent)
            try await eventually("\(name) has a picture") {
                await agent.record.people[name]?.portrait?.picture
            }
        }
        let people = await agent.record.people
        #expect(people.values.filter { $0.portrait?.picture != nil }.count == 16)
        #expect(people["anna"]?.portrait?.picture == nil && people["anna"]?.portrait != nil)
    }

    @Test(
        "A profile that wants no pictures any more takes them away, and what is kept outlives a restart"
    )
    func erased() async throws {
        let kept = try await {
            let (agent, _) = try await registered(
                .init(names: ["staff": "Staff"], picture: Self.png))
            return try await portrait(agent)
        }()
        let again = try await eventually("the lock is free") {
            try await setting.agent(relay, serving: served)
        }
        #expect(await again.record.people["anna"]?.portrait == kept)
        var profile = Self.profile
        profile.hasPictures = false
        try setting.install(profile)
        await again.reload()
        let left = await again.record.people["anna"]?.portrait
        #expect(left?.picture == nil && left?.names == kept.names)
    }

    @Test("With the registration everything goes")
    func gone() async throws {
        let (agent, _) = try await registered(.init(picture: Self.png))
        _ = try await portrait(agent)
        try await agent.unregisterPerson("anna", localOnly: true)
        await #expect(throws: AgentRefusal.noPicture) { try await agent.picture(of: "anna") }
    }
}
