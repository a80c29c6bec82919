// SPDX-License-Identifier: Apache-2.0
import CTAP
import Support
import Synchronization
import Testing

/// A source whose devices a test adds and takes away.
private struct ChangingSource: AuthenticatorSource {
    let stream: AsyncStream<[any AuthenticatorDevice]>
    let change: AsyncStream<[any AuthenticatorDevice]>.Continuation

    init() { (stream, change) = AsyncStream.makeStream(of: [any AuthenticatorDevice].self) }

    func snapshots() -> AsyncStream<[any AuthenticatorDevice]> { stream }
}

/// A device that the system opens at the second attempt only.
private final class SettlingDevice: AuthenticatorDevice {
    let description = AuthenticatorDescription(id: "key", kind: .usb, name: "key")
    let attempts = Mutex(0)
    private let error: TransportError
    private let transport: TestTransport

    init(_ error: TransportError, _ transport: TestTransport) {
        self.error = error
        self.transport = transport
    }

    func open() async throws(TransportError) -> any AuthenticatorTransport {
        let attempt = attempts.withLock { attempts in
            attempts += 1
            return attempts
        }
        guard attempt > 1 else { throw error }
        return transport
    }
}

@Suite struct KeySelectionTests {
    private func client(
        _ source: any AuthenticatorSource, _ person: TestPerson, delay: TestDelay = TestDelay()
    ) -> SecurityKeyClient {
        SecurityKeyClient(
            source: source, interaction: person, random: SeededRandom(), delay: delay)
    }

    private func key() throws -> SoftwareAuthenticator {
        try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AutomaticGesture(), clock: ManualClock(),
            random: SeededRandom())
    }

    /// Returns a key that is never touched.
    ///
    /// - Parameter onWaiting: A closure that runs when the key begins to wait for a touch.
    private func untouched(
        onWaiting: @escaping @Sendable () -> Void = {}
    ) throws -> TestTransport {
        let key = try key()
        return TestTransport { message in
            guard case .ctap2(let frame) = message else { return .failure(.closed) }
            if frame.first == CTAPCommand.getInfo.rawValue {
                return .success(await key.respond(to: frame))
            }
            onWaiting()
            return await TestTransport.untilCancelled()
        }
    }

    /// A key that is touched as soon as `others` has said something so often.
    private func touchedKey(
        after count: Int, of others: AsyncStream<Void>
    ) throws -> TestTransport {
        let key = try key()
        return TestTransport { message in
            guard case .ctap2(let frame) = message else { return .failure(.closed) }
            if frame.first == CTAPCommand.selection.rawValue {
                var waiting = 0
                for await _ in others {
                    waiting += 1
                    if waiting == count { break }
                }
            }
            return .success(await key.respond(to: frame))
        }
    }

    /// The keys that a prompt asks to be touched.
    private static func names(_ prompt: SecurityKeyPrompt) -> [String]? {
        guard case .touchOneOf(let keys, _) = prompt else { return nil }
        return keys.map(\.name)
    }

    @Test("of several keys the one that is touched works on, the others are cancelled")
    func touched() async throws {
        let (others, waits) = AsyncStream.makeStream(of: Void.self)
        let first = try untouched { waits.yield() }
        let second = try touchedKey(after: 2, of: others)
        let third = try untouched { waits.yield() }
        let person = TestPerson()
        let source = FixedAuthenticators([
            TestDevice("1", first), TestDevice("2", second), TestDevice("3", third),
        ])
        let registration = try await client(source, person).register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        #expect(!registration.credentialId.isEmpty)
        #expect(person.log.prompts.compactMap(Self.names).last == ["1", "2", "3"])
        #expect(second.requests.filter { $0 == .selection }.count == 1)
        for other in [first, third] {
            #expect(other.log.cancellations == 1)
            #expect(other.log.isClosed)
            #expect(other.requests == [.getInfo, .selection])
        }
        #expect(person.log.finished == 1)
    }

    @Test("a key that is put in while others wait for a touch is one to be touched")
    func joining() async throws {
        let (others, waits) = AsyncStream.makeStream(of: Void.self)
        let devices = try (1...2).map {
            TestDevice("\($0)", try untouched { waits.yield() })
        }
        let third = try touchedKey(after: 2, of: others)
        let source = ChangingSource()
        source.change.yield(devices)
        let person = TestPerson()
        person.onPrompt { prompt in
            guard Self.names(prompt)?.count == 2 else { return }
            source.change.yield(devices + [TestDevice("3", third)])
        }
        _ = try await client(source, person).register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        #expect(person.log.prompts.compactMap(Self.names).last == ["1", "2", "3"])
        #expect(third.requests.contains { if case .makeCredential = $0 { true } else { false } })
    }

    @Test("a removed key leaves the prompt for a touch, the others stay")
    func leaving() async throws {
        let (gone, went) = AsyncStream.makeStream(of: Void.self)
        let first = TestDevice("1", try untouched())
        let second = TestDevice("2", try touchedKey(after: 1, of: gone))
        let source = ChangingSource()
        source.change.yield([first, second])
        let person = TestPerson()
        let isPulled = Mutex(false)
        person.onPrompt { prompt in
            if Self.names(prompt) == ["1", "2"] {
                isPulled.withLock { $0 = true }
                source.change.yield([second])
            } else if isPulled.withLock({ $0 }) {
                went.yield()
            }
        }
        _ = try await client(source, person).register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        #expect(person.log.prompts.compactMap(Self.names).last == ["2"])
    }

    @Test("when the last key that could be touched goes, the one that is left says why it cannot")
    func lastOneLeaves() async throws {
        let busy = TestDevice("1", failing: .busy)
        let source = ChangingSource()
        source.change.yield([busy, TestDevice("2", try untouched())])
        let person = TestPerson()
        person.onPrompt { prompt in
            if Self.names(prompt) == ["2"] { source.change.yield([busy]) }
        }
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await client(source, person).register(
                ClientFixture.creation(), caller: ClientFixture.caller)
        }
        #expect(error == .keyBusy)
    }

    @Test("without a key the person is prompted to insert one, and the first one is used")
    func inserted() async throws {
        let source = ChangingSource()
        source.change.yield([])
        let person = TestPerson()
        let device = TestDevice("key", TestTransport(try key()))
        person.onPrompt { prompt in
            if case .insertKey = prompt { source.change.yield([device]) }
        }
        _ = try await client(source, person).register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        #expect(
            person.log.prompts.first
                == .insertKey(.register(relyingParty: "example.org", account: "user1")))
    }

    @Test(
        "the only key that cannot be opened says why",
        arguments: [
            (TransportError.busy, SecurityKeyError.keyBusy), (.accessDenied, .accessDenied),
            (.timedOut, .timedOut), (.protocolViolation("x"), .untrustworthyReply("x")),
        ])
    func unusable(error: TransportError, told: SecurityKeyError) async throws {
        let source = FixedAuthenticators([TestDevice("key", failing: error)])
        let failure = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await client(source, TestPerson()).register(
                ClientFixture.creation(), caller: ClientFixture.caller)
        }
        #expect(failure == told)
    }

    @Test("a key at a configured path that is removed while it is opened is reported as removed")
    func goneAtFixedPath() async throws {
        let expected: [([TestDevice], SecurityKeyError)] = [
            ([TestDevice("key", failing: .removed)], .keyRemoved), ([], .noKey),
        ]
        for (devices, told) in expected {
            let failure = await ClientFixture.failure { () throws(SecurityKeyError) in
                try await client(FixedAuthenticators(devices), TestPerson()).register(
                    ClientFixture.creation(), caller: ClientFixture.caller)
            }
            #expect(failure == told)
        }
    }

    @Test(
        "of two keys at configured paths, a removed one does not prevent the use of the other")
    func oneGone() async throws {
        let source = FixedAuthenticators([
            TestDevice("1", failing: .removed), TestDevice("2", TestTransport(try key())),
        ])
        _ = try await client(source, TestPerson()).register(
            ClientFixture.creation(), caller: ClientFixture.caller)
    }

    @Test("a key that is pulled out while it is opened is asked for again")
    func pulledOut() async throws {
        let source = ChangingSource()
        source.change.yield([TestDevice("1", failing: .removed)])
        let person = TestPerson()
        let second = TestDevice("2", TestTransport(try key()))
        person.onPrompt { prompt in
            if case .insertKey = prompt { source.change.yield([second]) }
        }
        _ = try await client(source, person).register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        #expect(
            person.log.prompts.first
                == .insertKey(.register(relyingParty: "example.org", account: "user1")))
    }

    @Test(
        "a device that is opened to people, or left by another program, a moment later is tried again",
        arguments: [TransportError.accessDenied, .busy])
    func settling(_ error: TransportError) async throws {
        let device = SettlingDevice(error, TestTransport(try key()))
        let source = FixedAuthenticators([device])
        _ = try await client(source, TestPerson()).register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        #expect(device.attempts.withLock { $0 } == 2)
    }

    @Test("a ceremony without a person ends at its time limit, and the key is cancelled")
    func timeout() async throws {
        let transport = try untouched()
        let source = FixedAuthenticators([TestDevice("key", transport)])
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await client(source, TestPerson(), delay: TestDelay(allAreOver: true)).register(
                ClientFixture.creation(), caller: ClientFixture.caller)
        }
        #expect(error == .touchTimedOut)
    }

    @Test("a task that is cancelled ends as cancelled")
    func cancelled() async throws {
        let transport = try untouched()
        let source = FixedAuthenticators([TestDevice("key", transport)])
        let person = TestPerson()
        let (prompts, seen) = AsyncStream.makeStream(of: Void.self)
        person.onPrompt { prompt in if case .touch = prompt { seen.yield() } }
        let client = client(source, person)
        let task = Task {
            await ClientFixture.failure { () throws(SecurityKeyError) in
                try await client.register(ClientFixture.creation(), caller: ClientFixture.caller)
            }
        }
        for await _ in prompts { break }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(person.log.finished == 1)
    }

    @Test("Attack 35: a key that gives up at once, again and again, does not keep the client busy")
    func impatientKey() async throws {
        let key = try key()
        let impatient = TestTransport { message in
            guard case .ctap2(let frame) = message else { return .failure(.closed) }
            return .success(
                frame.first == CTAPCommand.getInfo.rawValue
                    ? await key.respond(to: frame) : [CTAPStatus.userActionTimeout.rawValue])
        }
        let other = TestDevice("2", failing: .busy)
        let source = FixedAuthenticators([TestDevice("1", impatient), other])
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await client(source, TestPerson()).register(
                ClientFixture.creation(), caller: ClientFixture.caller)
        }
        // What it says last, or what the other one said, whichever came first.
        #expect([.touchTimedOut, .keyBusy].contains(error))
        #expect(impatient.requests.filter { $0 == .selection }.count == 8)
    }
}
