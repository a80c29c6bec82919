import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn
import Testing

@Suite struct DeviceRegistrationTests {
    private let device = RegistrationSubject.device(.everyone)

    @Test("With a token a device registers silently, at once")
    func silent() throws {
        var run = MachineRun()
        let attempt = try #require(run(.planned(.test(token: true))).begun.first)
        #expect(attempt.options == .registrationSharedDeviceKeys)
        #expect(attempt.presence == nil)
        #expect(run.answer(device, .success) == [])
        #expect(run.device == .registered)
    }

    @Test("Without a token nothing is tried: a person is told")
    func noToken() {
        var run = MachineRun()
        #expect(run(.planned(.test())) == [.prompt(device)])
        #expect(run.device == .waiting)
        #expect(run.registrations.nextWake == nil)
    }

    @Test("A person who begins is asked only after the extension said that it must")
    func interfaceWhenRequired() throws {
        var run = MachineRun()
        run(.planned(.test()))
        let first = try #require(run(.begun(device, by: "anna")).begun.first)
        #expect(!first.hasUserInterface && first.presence == "anna")
        let second = try #require(run.answer(device, .userInterfaceRequired).begun.first)
        #expect(second.hasUserInterface && second.presence == "anna")
    }

    @Test("If the extension needs user interaction and no person is present, a prompt is sent")
    func nobodyThere() {
        var run = MachineRun()
        run(.planned(.test(token: true)))
        #expect(run.answer(device, .userInterfaceRequired) == [.prompt(device)])
        #expect(run.device == .waiting)
    }

    @Test("An extension that asks for an interface which it has has failed")
    func interfaceTwice() {
        var run = MachineRun()
        run(.planned(.test()))
        run(.begun(device, by: "anna"))
        run.answer(device, .userInterfaceRequired)
        #expect(run.answer(device, .userInterfaceRequired) == [])
        #expect(run.device == .retrying(at: run.now + .minutes(10)))
    }

    @Test("A failure is tried again after ten minutes and not a moment before")
    func retry() {
        var run = MachineRun()
        run(.planned(.test(token: true)))
        #expect(run.answer(device, .failed) == [])
        #expect(run.registrations.nextWake == run.now + .minutes(10))
        #expect(run.wait(.seconds(599)) == [])
        #expect(run.wait(.seconds(1)).begun.map(\.presence) == [nil])
    }

    @Test("A failure without a token has a person told again after ten minutes")
    func retryByPerson() {
        var run = MachineRun()
        run(.planned(.test()))
        run(.begun(device, by: "anna"))
        run.answer(device, .failed)
        #expect(run.wait(.minutes(10)) == [.prompt(device)])
    }

    @Test("Machines that fail together come back up to a minute apart")
    func spread() {
        var run = MachineRun(machine: RegistrationStateMachine(spread: .seconds(40)))
        run(.planned(.test(token: true)))
        run.answer(device, .failed)
        #expect(run.registrations.nextWake == run.now + .seconds(640))
        #expect(RegistrationStateMachine(spread: .hours(9)).spread == .minutes(1))
        #expect(RegistrationStateMachine(spread: .seconds(-1)).spread == .seconds(0))
    }

    @Test("A clock that is set back does not put off the next try")
    func clockBack() {
        var run = MachineRun()
        run(.planned(.test(token: true)))
        run.answer(device, .failed)
        #expect(run.wait(.days(-2)).begun.count == 1)
    }

    @Test("A manual start does not wait for the ten minutes")
    func byHand() {
        var run = MachineRun()
        run(.planned(.test(token: true)))
        run.answer(device, .failed)
        #expect(run(.begun(device, by: "anna")).begun.map(\.presence) == ["anna"])
    }

    @Test("failedNoRetry is final: neither time, nor a restart, nor a person begins it again")
    func refused() {
        var run = MachineRun()
        run(.planned(.test(token: true)))
        #expect(run.answer(device, .failedNoRetry) == [])
        #expect(run.wait(.days(30)) == [])
        #expect(run(.resumed) == [])
        #expect(run(.planned(.test(token: true))) == [])
        #expect(run(.begun(device, by: "anna")) == [.decline(.notBeforeChange)])
        #expect(run.device == .refused)
    }

    @Test("failedNoRetry ends when the configuration or the extension changes")
    func refusedUntilChange() {
        var run = MachineRun()
        run(.planned(.test(token: true)))
        run.answer(device, .failedNoRetry)
        #expect(run(.planned(.test(token: true, revision: "2"))).begun.count == 1)
    }

    @Test("A change of the configuration does not wait for the ten minutes either")
    func retryAfterChange() {
        var run = MachineRun()
        run(.planned(.test(token: true)))
        run.answer(device, .failed)
        #expect(run(.planned(.test(token: true, revision: "2"))).begun.count == 1)
    }

    @Test("A device that waits for a person registers silently when a token comes")
    func tokenComes() {
        var run = MachineRun()
        run(.planned(.test()))
        #expect(run(.planned(.test(token: true, revision: "2"))).begun.map(\.presence) == [nil])
    }

    @Test("A change that has nothing to do with it leaves a registered device alone")
    func changeOfRegistered() {
        var run = MachineRun.registered()
        #expect(run(.planned(.test(token: true, revision: "2"))) == [])
        #expect(run.device == .registered)
    }

    @Test("An answer to an earlier call does not count")
    func lateAnswer() {
        var run = MachineRun()
        run(.planned(.test(token: true)))
        let old = run.attempt(device)?.number ?? 0
        run(.resumed)
        #expect(run(.answered(device, attempt: old, .success)) == [])
        #expect(run.device != .registered)
        run.answer(device, .success)
        #expect(run(.answered(device, attempt: old, .failedNoRetry)) == [])
        #expect(run.device == .registered)
    }

    @Test("A silent call that was cut off is made again; one with a person waits for a person")
    func resumed() {
        var silent = MachineRun()
        silent(.planned(.test(token: true)))
        #expect(silent(.resumed).begun.map(\.number) == [2])
        var withPerson = MachineRun()
        withPerson(.planned(.test()))
        withPerson(.begun(device, by: "anna"))
        withPerson.answer(device, .userInterfaceRequired)
        #expect(withPerson(.resumed) == [.prompt(device)])
        #expect(withPerson.device == .waiting)
    }

    @Test("A registration that is in progress, finished or not configured cannot be started")
    func declined() {
        var run = MachineRun()
        #expect(run(.begun(device, by: "anna")) == [.decline(.notConfigured)])
        run(.planned(.test(token: true)))
        #expect(run(.begun(device, by: "anna")) == [.decline(.underWay)])
        run.answer(device, .success)
        #expect(run(.begun(device, by: "anna")) == [.decline(.alreadyRegistered)])
    }

    @Test("A person who gives up is told again in ten minutes, and the extension is told at once")
    func cancelled() {
        var run = MachineRun()
        run(.planned(.test()))
        run(.begun(device, by: "anna"))
        #expect(run(.cancelled("bea")) == [])
        #expect(run(.cancelled("anna")) == [.abandon(attempt: 1), .cancel])
        #expect(run.wait(.minutes(10)) == [.prompt(device)])
    }

    @Test("Repair registers silently, says so, and takes the people along")
    func repair() throws {
        var run = MachineRun.complete()
        let attempt = try #require(run(.needsRepair(device)).begun.first)
        #expect(attempt.options == [.registrationRepair, .registrationSharedDeviceKeys])
        #expect(run.anna == .registered)
        let effects = run.answer(device, .success)
        #expect(effects.begun.map(\.options.rawValue) == [6])
        #expect(run.answer(.person("anna"), .success) == [.signIn("anna")])
    }

    @Test("A repair that fails is tried again as a repair")
    func repairAgain() {
        var run = MachineRun.complete()
        run(.needsRepair(device))
        run.answer(device, .failed)
        #expect(
            run.wait(.minutes(10)).begun.map { $0.options.contains(.registrationRepair) } == [true])
    }

    @Test("A device that is not registered has nothing to repair")
    func nothingToRepair() {
        var run = MachineRun()
        run(.planned(.test(token: true)))
        #expect(run(.needsRepair(device)) == [])
        run.answer(device, .failedNoRetry)
        #expect(run(.needsRepair(device)) == [])
    }

    @Test("A repair of the device stops the registration of a person, who registers afterwards")
    func repairStopsPeople() {
        var run = MachineRun.registered()
        run(.arrived("anna"))
        run(.begun(.person("anna"), by: "anna"))
        let number = run.attempt(.person("anna"))?.number ?? 0
        #expect(run(.needsRepair(device)).first == .abandon(attempt: number))
        #expect(run.anna == .waitingForDevice)
        #expect(run.answer(device, .success) == [.prompt(.person("anna"))])
    }

    @Test(
        "Removal of the configuration notifies the extension, and then removes all registrations")
    func removed() {
        var run = MachineRun.complete()
        #expect(
            run(.planned(nil)) == [
                .configurationRemoved, .forget(.person("anna")), .forget(device),
            ])
        #expect(run.registrations.devices.isEmpty && run.anna == .waitingForDevice)
        #expect(run(.planned(nil)) == [])
    }

    @Test("Removal in the middle of a call cancels it; its answer does not count")
    func removedMeanwhile() {
        var run = MachineRun()
        run(.planned(.test(token: true)))
        #expect(
            run(.planned(nil)) == [
                .abandon(attempt: 1), .cancel, .configurationRemoved, .forget(device),
            ])
        #expect(run(.answered(device, attempt: 1, .success)) == [])
        #expect(run.registrations.devices.isEmpty)
    }

    @Test("Another extension begins from nothing")
    func anotherExtension() {
        var run = MachineRun.complete()
        let effects = run(.planned(.test(token: true, revision: "2", team: "OTHER")))
        #expect(effects.contains(.forget(device)) && effects.contains(.forget(.person("anna"))))
        #expect(effects.begun.count == 1)
        #expect(run.answer(device, .success) == [.prompt(.person("anna"))])
    }
}
