// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import NIOCore
import NIOEmbedded
import Testing

@testable import Agent

@Suite("A client cannot block others from the agent")
struct ConnectionLimitTests {
    private func caller(_ user: UInt32) -> AgentCaller {
        AgentCaller(user: user, account: "u\(user)", program: nil)
    }

    @Test("an account has sixteen connections at once, and more when one of them ends")
    func ofOne() {
        let counts = ConnectionLimiter()
        let anna = caller(4_000_001)
        for _ in 0..<ConnectionLimiter.ofOne { #expect(counts.enter(anna)) }
        #expect(!counts.enter(anna))
        #expect(counts.enter(caller(4_000_002)))
        counts.leave(anna)
        #expect(counts.enter(anna))
        #expect(!counts.enter(anna))
    }

    @Test("all accounts together have 256, and root is none of them")
    func ofAll() {
        let counts = ConnectionLimiter()
        let accounts = UInt32(ConnectionLimiter.ofAll / ConnectionLimiter.ofOne)
        for user in 0..<accounts {
            for _ in 0..<ConnectionLimiter.ofOne { #expect(counts.enter(caller(4_000_000 + user))) }
        }
        #expect(!counts.enter(caller(5_000_000)))
        for _ in 0...ConnectionLimiter.ofAll { #expect(counts.enter(caller(0))) }
        counts.leave(caller(4_000_000))
        #expect(counts.enter(caller(5_000_000)))
    }

    @Test("a connection that asks nothing ends after ten seconds")
    func silent() throws {
        let channel = try opened()
        channel.embeddedEventLoop.advanceTime(by: IdleConnectionHandler.patience - .seconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("one that has asked may wait for an hour, while steps and questions come")
    func thinking() throws {
        let channel = try opened()
        try channel.writeInbound(AgentRequest(.status).json)
        try channel.writeOutbound(AgentResponse.step(.signedIn).json)
        try channel.writeOutbound(AgentResponse.ask(.secret("Password?")).json)
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test(
        "one that has its last reply ends ten seconds after it",
        arguments: [AgentResponse.result(["a": 1]), .refusal(.notYours)])
    func answered(_ last: AgentResponse) throws {
        let channel = try opened()
        try channel.writeInbound(AgentRequest(.status).json)
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        try channel.writeOutbound(last.json)
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: IdleConnectionHandler.patience)
        #expect(!channel.isActive)
    }

    private func opened() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: IdleConnectionHandler())
        try channel.connect(to: .init(unixDomainSocketPath: "/agent")).wait()
        return channel
    }
}
