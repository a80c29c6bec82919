import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn
import Testing

@Suite struct PersonRegistrationTests {
    private let device = RegistrationSubject.device(.everyone)
    private let anna = RegistrationSubject.person("anna")

    @Test("A session start on a registered device prompts the person to register until it is done")
    func prompted() {
        var run = MachineRun.registered()
        #expect(run(.arrived("anna")) == [.prompt(anna)])
        #expect(run(.arrived("anna")) == [.prompt(anna)])
        run = .complete()
        #expect(run(.arrived("anna")) == [])
    }

    @Test("No person registers before the device")
    func deviceFirst() {
        var run = MachineRun()
        run(.planned(.test(token: true)))
        #expect(run(.arrived("anna")) == [])
        #expect(run.anna == .waitingForDevice)
        #expect(run.answer(device, .success) == [.prompt(anna)])
    }

    @Test("A session start on a device that waits for a person prompts for the device")
    func deviceWaits() {
        var run = MachineRun()
        run(.planned(.test()))
        #expect(run(.arrived("anna")) == [.prompt(device)])
        #expect(run(.arrived("anna")) == [.prompt(device)])
    }

    @Test("A person who begins registers the device first, and goes on without being told again")
    func bothAtOnce() throws {
        var run = MachineRun()
        run(.planned(.test()))
        #expect(run(.begun(anna, by: "anna")).begun.map(\.presence) == ["anna"])
        #expect(run.anna == .waitingForDevice)
        let effects = run.answer(device, .success)
        guard case .begin(anna, let attempt)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(attempt.presence == "anna" && !attempt.hasUserInterface)
    }

    @Test("Under shared keys each further person registers only themselves")
    func furtherPeople() {
        var run = MachineRun.complete()
        #expect(run(.arrived("bea")) == [.prompt(.person("bea"))])
        let effects = run(.begun(.person("bea"), by: "bea"))
        #expect(effects.begun.count == 1)
        #expect(run.device == .registered && run.anna == .registered)
    }

    @Test("With keys of their own each person registers a device, then themselves")
    func ownKeys() {
        var run = MachineRun()
        #expect(run(.planned(.test(shared: false, token: true))) == [])
        #expect(run(.arrived("anna")).begun.map(\.options.rawValue) == [0])
        #expect(run.answer(.device(.person("anna")), .success) == [.prompt(anna)])
        #expect(run(.arrived("bea")).begun.count == 1)
        #expect(run(.departed("anna")).contains(.forget(.device(.person("anna")))))
        #expect(run.registrations.devices.keys.map(\.text) == ["+bea"])
    }

    @Test("An account that the profile exempts is never asked")
    func exempt() {
        var run = MachineRun.registered(.test(token: true, exempt: ["root"]))
        #expect(run(.arrived("root")) == [])
        #expect(run(.begun(.person("root"), by: "root")) == [.decline(.exempt)])
        run = .complete()
        #expect(
            run(.planned(.test(token: true, exempt: ["anna"], revision: "2"))) == [.forget(anna)])
        #expect(run.anna == nil)
    }

    @Test("A registration shows something only after the extension said that it must")
    func interfaceWhenRequired() throws {
        var run = MachineRun.registered()
        run(.arrived("anna"))
        let first = try #require(run(.begun(anna, by: "anna")).begun.first)
        #expect(!first.hasUserInterface)
        let second = try #require(run.answer(anna, .userInterfaceRequired).begun.first)
        #expect(second.hasUserInterface)
        #expect(run.answer(anna, .userInterfaceRequired) == [])
        #expect(run.anna == .retrying(at: run.now + .minutes(10)))
    }

    @Test("After success the person signs in with the new configuration, and that completes it")
    func firstSignIn() {
        var run = MachineRun.registered()
        run(.arrived("anna"))
        #expect(run(.signedIn("anna")) == [])
        run(.begun(anna, by: "anna"))
        #expect(run(.signedIn("anna")) == [])
        #expect(run.answer(anna, .success) == [.signIn("anna")])
        #expect(run(.arrived("anna")) == [.signIn("anna")])
        #expect(run(.begun(anna, by: "anna")) == [.signIn("anna")])
        #expect(run(.resumed) == [.signIn("anna")])
        #expect(run(.signedIn("anna")) == [.complete("anna")])
        #expect(run(.signedIn("anna")) == [])
    }

    @Test("Where there is a key service the unlock key is bound before it is complete")
    func keyService() {
        var run = MachineRun.registered(.test(token: true, keys: true))
        run(.arrived("anna"))
        run(.begun(anna, by: "anna"))
        run.answer(anna, .success)
        #expect(run(.signedIn("anna")) == [.bindKey("anna", attempt: 3)])
        #expect(run(.keyBound("anna", attempt: 2, true)) == [])
        #expect(run(.begun(anna, by: "anna")) == [.decline(.underWay)])
        #expect(run(.keyBound("anna", attempt: 3, true)) == [.complete("anna")])
    }

    @Test("A key service that fails is asked again after ten minutes, or by hand")
    func keyServiceFails() {
        var run = MachineRun.registered(.test(token: true, keys: true))
        run(.arrived("anna"))
        run(.begun(anna, by: "anna"))
        run.answer(anna, .success)
        run(.signedIn("anna"))
        #expect(run(.keyBound("anna", attempt: 3, false)) == [])
        #expect(run.registrations.nextWake == run.now + .minutes(10))
        #expect(run(.begun(anna, by: "anna")) == [.bindKey("anna", attempt: 4)])
        #expect(run(.resumed) == [.bindKey("anna", attempt: 5)])
        run(.keyBound("anna", attempt: 5, false))
        #expect(run.wait(.minutes(10)) == [.bindKey("anna", attempt: 6)])
    }

    @Test("A failure has the person told again after ten minutes")
    func retry() {
        var run = MachineRun.registered()
        run(.arrived("anna"))
        run(.begun(anna, by: "anna"))
        run.answer(anna, .failed)
        #expect(run.wait(.seconds(599)) == [])
        #expect(run.wait(.seconds(1)) == [.prompt(anna)])
    }

    @Test("failedNoRetry is final until the configuration changes")
    func refused() {
        var run = MachineRun.registered()
        run(.arrived("anna"))
        run(.begun(anna, by: "anna"))
        run.answer(anna, .failedNoRetry)
        #expect(run(.begun(anna, by: "anna")) == [.decline(.notBeforeChange)])
        #expect(run(.arrived("anna")) == [])
        #expect(run.wait(.days(9)) == [])
        #expect(run(.needsRepair(anna)) == [])
        #expect(run(.planned(.test(token: true, revision: "2"))) == [.prompt(anna)])
    }

    @Test("A cancelled prompt is repeated after ten minutes; a hidden prompt cannot be cancelled")
    func cancelled() {
        var run = MachineRun.registered()
        run(.arrived("anna"))
        run(.begun(anna, by: "anna"))
        #expect(run(.cancelled("anna")) == [.abandon(attempt: 2), .cancel])
        #expect(run(.answered(anna, attempt: 2, .success)) == [])
        #expect(run.wait(.minutes(10)) == [.prompt(anna)])
        run = .complete()
        run(.needsRepair(anna))
        #expect(run(.cancelled("anna")) == [])
    }

    @Test("A call that was cut off waits for the person again; a silent one is made again")
    func resumed() {
        var run = MachineRun.registered()
        run(.arrived("anna"))
        run(.begun(anna, by: "anna"))
        #expect(run(.resumed) == [.prompt(anna)])
        run = .complete()
        run(.needsRepair(anna))
        #expect(run(.resumed).begun.map { $0.options.contains(.registrationRepair) } == [true])
    }

    @Test("Repair of a person asks silently first, and waits while the device is repaired")
    func repair() {
        var run = MachineRun.complete()
        #expect(run(.needsRepair(anna)).begun.map(\.presence) == [nil])
        #expect(run.answer(anna, .userInterfaceRequired) == [.prompt(anna)])
        #expect(run(.begun(anna, by: "anna")).begun.map(\.options.rawValue) == [6])
        run = .complete()
        run(.needsRepair(device))
        #expect(run(.needsRepair(anna)) == [])
        #expect(run.anna == .waitingForDevice)
        #expect(run.answer(device, .success).begun.map(\.options.rawValue) == [6])
    }

    @Test("A repair requires a registered person")
    func nothingToRepair() {
        var run = MachineRun.registered()
        #expect(run(.needsRepair(anna)) == [])
        run(.arrived("anna"))
        #expect(run(.needsRepair(anna)) == [])
    }

    @Test("A person who leaves for good is forgotten, and what was under way with them")
    func departed() {
        var run = MachineRun.registered()
        run(.arrived("anna"))
        run(.begun(anna, by: "anna"))
        #expect(run(.departed("anna")) == [.abandon(attempt: 2), .forget(anna)])
        #expect(run(.departed("anna")) == [])
        #expect(run.anna == nil)
    }

    @Test("A change of the method makes people register again, and cancels pending registrations")
    func anotherMethod() {
        var run = MachineRun.complete()
        #expect(
            run(.planned(.test(token: true, method: "UserSecureEnclaveKey", revision: "2")))
                == [.prompt(anna)])
        #expect(run.device == .registered)
        run(.begun(anna, by: "anna"))
        #expect(
            run(.planned(.test(token: true, revision: "3")))
                == [.abandon(attempt: 3), .prompt(anna)])
    }

    @Test("A key service that is new binds keys of those who are registered")
    func newKeyService() {
        var run = MachineRun.complete()
        #expect(
            run(.planned(.test(token: true, keys: true, revision: "2")))
                == [.bindKey("anna", attempt: 3)])
    }

    @Test("From keys of each to shared keys: the old ones end when the new ones are registered")
    func migration() throws {
        var run = MachineRun()
        run(.planned(.test(shared: false, token: true)))
        run(.arrived("anna"))
        run.answer(.device(.person("anna")), .success)
        let effects = run(.planned(.test(token: true, revision: "2")))
        #expect(effects.begun.map(\.options.rawValue) == [12])
        #expect(!effects.contains(.forget(.device(.person("anna")))))
        #expect(run.anna == .waitingForDevice)
        let after = run.answer(device, .success)
        #expect(after.first == .leave(.person("anna")))
        #expect(after.begun.map(\.options.rawValue) == [12])
        #expect(run(.left(.person("anna"), true)) == [.forget(.device(.person("anna")))])
        #expect(run(.left(.person("anna"), true)) == [])
    }

    @Test(
        "Keys that others took the place of are kept until the provider knows that they have left")
    func leaving() {
        var run = MachineRun.complete()
        run(.planned(.test(shared: false, token: true, revision: "2")))
        #expect(run.answer(.device(.person("anna")), .success).contains(.leave(.everyone)))
        #expect(run(.left(.everyone, false)) == [])
        #expect(run.wait(.minutes(9)) == [])
        #expect(run.wait(.minutes(1)) == [.leave(.everyone)])
        #expect(run(.resumed).contains(.leave(.everyone)))
        #expect(run(.left(.everyone, true)) == [.forget(device)])
        #expect(!run(.resumed).contains(.leave(.everyone)))
    }

    @Test("Keys whose turn comes again do not leave, whatever the provider was told")
    func leavingAndBack() {
        var run = MachineRun.complete()
        run(.planned(.test(shared: false, token: true, revision: "2")))
        run.answer(.device(.person("anna")), .success)
        run(.planned(.test(token: true, revision: "3")))
        #expect(run(.left(.everyone, true)) == [])
        #expect(run.answer(device, .success).first == .leave(.person("anna")))
    }

    @Test("Shared keys without a successor are removed at once")
    func leavingAtOnce() {
        var run = MachineRun.registered()
        let effects = run(.planned(.test(shared: false, token: true, revision: "2")))
        #expect(effects == [.leave(.everyone)])
    }

    @Test("Unregistering the new keys also removes the previous ones")
    func leavingWithThem() {
        var run = MachineRun.complete()
        run(.planned(.test(shared: false, token: true, revision: "2")))
        run.answer(.device(.person("anna")), .failed)
        #expect(run(.unregistered(.device(.person("anna")))).last == .leave(.everyone))
    }

    @Test("From shared keys to keys of each: the shared ones end with the last that is registered")
    func migrationBack() {
        var run = MachineRun.complete()
        run(.arrived("bea"))
        let effects = run(.planned(.test(shared: false, token: true, revision: "2")))
        #expect(effects.begun.map(\.options.rawValue) == [8, 8])
        #expect(!run.answer(.device(.person("anna")), .success).contains(.leave(.everyone)))
        #expect(run.answer(.device(.person("bea")), .success).contains(.leave(.everyone)))
    }
}
