// SPDX-License-Identifier: Apache-2.0
import Foundation
import SSOExtensions
import SingleSignOn
import Support
import Testing

/// The host with real processes, all of them faulty.
@Suite struct ExtensionHostTests {
    /// A host, its time, its reports.
    private struct House {
        let timer = ManualTimer()
        let reports = Reports()
        let calls = PlayedCalls()
        let host: ExtensionHost

        init(_ fault: String = "good", limits: ExtensionLimits = ExtensionLimits()) {
            host = ExtensionHost(
                FaultySource(fault), limits: limits, timer: timer, report: reports.report)
        }

        func register(
            _ name: String, _ options: ExtensionRequestOptions = []
        ) async -> Result<ExtensionResponse, ExtensionError> {
            await host.perform(.user(name, options), calls: calls)
        }

        /// Advances the time as soon as a waiter exists.
        func pass(_ duration: Duration) async throws {
            try await eventually("a waiter for \(duration)") {
                timer.waiters(for: duration) > 0 ? true : nil
            }
            timer.pass(duration)
        }

        /// Waits for the end of the process, and returns whether it was unexpected. Its status
        /// depends on what it notices first.
        func hasCrashed() async -> Bool {
            let ended = await reports.next { if case .ended = $0 { true } else { false } }
            if case .ended(_, isExpected: false)? = ended { return true }
            return false
        }

        func isAlive(_ pid: Int32) -> Bool { kill(pid, 0) == 0 }
    }

    private func failure(_ code: ExtensionError.Code) -> Result<ExtensionResponse, ExtensionError> {
        .failure(ExtensionError(code, ""))
    }

    // MARK: In good order

    @Test("Nothing runs before something is asked; then one process answers every request")
    func onDemand() async {
        let house = House()
        #expect(await !house.host.isLoaded)
        #expect(await house.register("anna") == .success(.registration(.success)))
        #expect(await house.register("berta") == .success(.registration(.success)))
        #expect(await house.host.isLoaded)
        #expect(house.reports.events.count { if case .started = $0 { true } else { false } } == 1)
        await house.host.unload()
        #expect(await !house.host.isLoaded)
    }

    @Test("What it says of itself is known without asking anything")
    func describes() async throws {
        let house = House()
        let description = try await house.host.describe().get()
        #expect(description.handlesRegistration)
        #expect(!description.handlesAuthorization)
        await house.host.unload()
    }

    @Test("An idle extension is stopped in peace, and started again when something is asked")
    func idle() async throws {
        let house = House()
        _ = await house.register("anna")
        try await house.pass(.seconds(60))
        let ended = await house.reports.next { if case .ended = $0 { true } else { false } }
        #expect(ended == .ended(status: 0, isExpected: true))
        #expect(await house.register("anna") == .success(.registration(.success)))
        await house.host.unload()
    }

    @Test("One that does not stop when it is told is killed")
    func stubborn() async throws {
        let house = House("stubborn")
        _ = await house.register("anna")
        async let unloaded: Void = house.host.unload()
        try await house.pass(.seconds(2))
        await unloaded
        #expect(house.reports.events.last == .ended(status: 137, isExpected: true))
    }

    @Test("Calls reach the agent while the request is open, and their answers come back")
    func calls() async {
        let house = House()
        #expect(await house.register("save") == .success(.registration(.success)))
        #expect(house.calls.calls == [.saveLoginUserName("anna")])
        await house.host.unload()
    }

    // MARK: Unexpected ends

    @Test(
        "An extension that crashes fails its request and nothing else",
        arguments: ["crash", "exit"])
    func crashes(name: String) async {
        let house = House()
        #expect(await house.register(name) == failure(.crashed))
        // A crashed process is not restarted at once: the next request starts another after a
        // pause.
        #expect(await house.register("anna") == failure(.resting))
        house.timer.pass(.seconds(1))
        #expect(await house.register("anna") == .success(.registration(.success)))
        await house.host.unload()
    }

    @Test("An answer counts even when the process ends at once after it")
    func answersAndExits() async {
        let house = House()
        #expect(
            await house.register("answer-and-exit") == .success(.registration(.success)))
    }

    @Test("All who wait learn that the process crashed")
    func crashOfMany() async throws {
        let house = House()
        async let first = house.register("hang")
        try await eventually("the first is asked") {
            house.timer.waiters(for: .seconds(60)) > 0 ? true : nil
        }
        async let second = house.register("crash")
        #expect(await first == failure(.crashed))
        #expect(await second == failure(.crashed))
    }

    @Test("An extension that ends before it is ready is reported, not awaited")
    func exitsAtOnce() async {
        let house = House("exit")
        #expect(await house.register("anna") == failure(.crashed))
    }

    @Test("After crash upon crash it rests longer and longer")
    func rests() async {
        let house = House("exit")
        for pause in [1, 2, 4] {
            #expect(await house.register("anna") == failure(.crashed))
            #expect(await house.register("anna") == failure(.resting))
            house.timer.pass(.seconds(pause))
        }
        #expect(await house.register("anna") == failure(.crashed))
    }

    @Test(
        "What it forked ends with it: what keeps the socket, and what put itself into another group",
        arguments: ["fork", "escape"])
    func forks(_ way: String) async throws {
        let house = House()
        #expect(await house.register(way) == .success(.registration(.success)))
        guard case .saveLoginUserName(let text?)? = house.calls.calls.first,
            let child = Int32(text), child > 0
        else {
            Issue.record("no child")
            return
        }
        #expect(house.isAlive(child))
        await house.host.unload()
        try await eventually("the child has ended") { house.isAlive(child) ? nil : true }
    }

    @Test("What escaped from an extension that was killed, or died, ends as well")
    func crashedEscape() async throws {
        let house = House()
        #expect(await house.register("escape") == .success(.registration(.success)))
        guard case .saveLoginUserName(let text?)? = house.calls.calls.first,
            let child = Int32(text), child > 0
        else {
            Issue.record("no child")
            return
        }
        #expect(await house.register("crash") == failure(.crashed))
        try await eventually("the child has ended") { house.isAlive(child) ? nil : true }
    }

    // MARK: Time

    @Test("An extension that is not ready in five seconds is killed")
    func neverReady() async throws {
        for fault in ["silent", "deaf"] {
            let house = House(fault)
            async let answer = house.register("anna")
            try await house.pass(.seconds(5))
            #expect(await answer == failure(.notReady))
        }
    }

    @Test("A request that is not answered in time fails, and the process is killed")
    func hangs() async throws {
        let house = House()
        async let answer = house.register("hang")
        try await house.pass(.seconds(60))
        #expect(await answer == failure(.timedOut))
        let ended = await house.reports.next { if case .ended = $0 { true } else { false } }
        #expect(ended == .ended(status: 137, isExpected: false))
    }

    @Test("A request that may ask a person has ten minutes")
    func hangsInteractively() async throws {
        let house = House()
        async let answer = house.register("hang", .userInteractionEnabled)
        try await house.pass(.seconds(600))
        #expect(await answer == failure(.timedOut))
    }

    @Test("A cancelled caller does not wait, and the late response is ignored")
    func late() async throws {
        let house = House()
        let task = Task { await house.register("hang") }
        try await eventually("it is asked") {
            house.timer.waiters(for: .seconds(60)) > 0 ? true : nil
        }
        task.cancel()
        #expect(await task.value == failure(.canceled))
        let late = await house.reports.next { if case .lateAnswer = $0 { true } else { false } }
        #expect(late == .lateAnswer(1))
        #expect(await house.register("anna") == .success(.registration(.success)))
        await house.host.unload()
    }

    @Test("Of two answers the first counts")
    func twice() async {
        let house = House()
        #expect(await house.register("twice") == .success(.registration(.success)))
        let late = await house.reports.next { if case .lateAnswer = $0 { true } else { false } }
        #expect(late == .lateAnswer(1))
        await house.host.unload()
    }

    // MARK: What no extension says

    @Test(
        "Garbage, wrong order, and answers to what was not asked end the process",
        arguments: [
            ("garbage", "anna"), ("long", "anna"), ("early", "anna"),
            ("good", "garbage"), ("good", "wrong"), ("good", "unasked"), ("good", "unasked-call"),
            ("good", "same-call"),
        ])
    func violations(fault: String, name: String) async {
        let house = House(fault)
        #expect(await house.register(name) == failure(.violation))
        #expect(await house.hasCrashed())
    }

    @Test("An extension that is ready twice is not trusted")
    func readyTwice() async {
        let house = House("ready-twice")
        _ = await house.host.describe()
        #expect(await house.hasCrashed())
    }

    @Test("An extension of another version of the messages is not used")
    func version() async {
        #expect(await House("version").register("anna") == failure(.notReady))
    }

    // MARK: Rules

    @Test("Something is shown only in a request that allows it")
    func presentsSilently() async {
        let house = House()
        #expect(await house.register("present") == .success(.registration(.failed)))
        #expect(house.calls.calls.isEmpty)
        #expect(house.reports.events.contains(.refusedCall(.present, .notInteractive)))
        #expect(
            await house.register("present", .userInteractionEnabled)
                == .success(.registration(.success)))
        await house.host.unload()
    }

    @Test("Nothing is asked before something is shown")
    func asksUnseen() async {
        let house = House()
        #expect(
            await house.register("ask", .userInteractionEnabled)
                == .success(.registration(.failed)))
        #expect(house.calls.calls.isEmpty)
        await house.host.unload()
    }

    @Test("After the answer nothing can be called")
    func callsAfterwards() async {
        let house = House()
        #expect(await house.register("call-after") == .success(.registration(.success)))
        let event = await house.reports.next { if case .refusedCall = $0 { true } else { false } }
        #expect(event == .refusedCall(.resetKeys, .notOpen))
        #expect(house.calls.calls.isEmpty)
        await house.host.unload()
    }

    @Test("An extension is asked only what its manifest names and its handler has")
    func capabilities() async {
        let house = House()
        let request = ExtensionHostRequest.authorize(
            .init(url: "https://idp.example.com/"), ExtensionLoginState())
        #expect(await house.host.perform(request) == failure(.notCapable))
        await house.host.unload()
        let incapable = House("incapable")
        #expect(await incapable.register("anna") == failure(.notCapable))
        await incapable.host.unload()
    }

    @Test("More requests at once than are passed on are refused")
    func overload() async throws {
        var limits = ExtensionLimits()
        limits.requestsAtOnce = 1
        let house = House(limits: limits)
        async let first = house.register("hang")
        try await eventually("the first is asked") {
            house.timer.waiters(for: .seconds(60)) > 0 ? true : nil
        }
        #expect(await house.register("anna") == failure(.overloaded))
        await house.host.unload()
        #expect(await first == failure(.unloaded))
    }

    @Test("An extension that is not there, or not as it was signed, is refused without a process")
    func refused() async {
        let host = ExtensionHost(
            InstalledProgram(
                "com.example.missing", team: nil, in: ExtensionFolder(path: "/nonexistent")))
        #expect(await host.perform(.user("anna")) == failure(.refused))
        #expect(await !host.isLoaded)
    }
}
