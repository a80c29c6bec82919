import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Primitives
import SingleSignOn
import Testing

/// The machine of registrations, where profiles configure single accounts.
@Suite struct AccountPlanTests {
    private let anna = RegistrationSubject.person("anna")
    private let ownDevice = RegistrationSubject.device(.person("anna"))

    private func plan(
        _ accounts: Set<String>?, tokens: Set<String> = [], revision: String = "1"
    ) -> RegistrationPlan {
        var plan = RegistrationPlan.test(shared: accounts == nil, revision: revision)
        plan.accounts = accounts
        plan.tokenAccounts = tokens
        return plan
    }

    @Test(
        "An account that a profile names is expected before its session start; others get no prompt"
    )
    func expected() {
        var run = MachineRun()
        #expect(run(.planned(plan(["anna"]))) == [.prompt(ownDevice)])
        #expect(run(.arrived("bea")) == [])
        #expect(run(.begun(.person("bea"), by: "bea")) == [.decline(.notConfigured)])
        #expect(run.registrations.people.keys.sorted() == ["anna"])
        #expect(run(.arrived("anna")) == [.prompt(ownDevice)])
    }

    @Test("With a token in their own profile their machine registers silently, and no other")
    func token() {
        var run = MachineRun()
        let effects = run(.planned(plan(["anna", "bea"], tokens: ["anna"])))
        #expect(effects.begun.count == 1)
        #expect(effects.contains(.prompt(.device(.person("bea")))))
        #expect(run.answer(ownDevice, .success) == [.prompt(anna)])
    }

    @Test("A token that comes later begins what waits for it, in that account alone")
    func laterToken() {
        var run = MachineRun()
        run(.planned(plan(["anna", "bea"])))
        let effects = run(.planned(plan(["anna", "bea"], tokens: ["bea"], revision: "2")))
        #expect(effects.begun.count == 1)
        #expect(run.attempt(.device(.person("bea"))) != nil)
        #expect(run.attempt(ownDevice) == nil)
    }

    @Test("An own profile that is removed takes that person's registration, and leaves the others")
    func removed() {
        var run = MachineRun()
        run(.planned(plan(["anna", "bea"], tokens: ["anna", "bea"])))
        for name in ["anna", "bea"] {
            run.answer(.device(.person(name)), .success)
            run(.begun(.person(name), by: name))
            run.answer(.person(name), .success)
            run(.signedIn(name))
        }
        let effects = run(.planned(plan(["bea"], tokens: ["bea"], revision: "2")))
        #expect(effects.contains(.forget(anna)) && effects.contains(.forget(ownDevice)))
        #expect(!effects.contains(.forget(.person("bea"))))
        #expect(run.registrations.people["bea"]?.phase == .registered)
        #expect(run.registrations.devices.keys.map(\.text) == ["+bea"])
    }

    @Test("A further account is expected without a change for those that are there")
    func added() {
        var run = MachineRun()
        run(.planned(plan(["anna"], tokens: ["anna"])))
        run.answer(ownDevice, .success)
        let effects = run(.planned(plan(["anna", "bea"], tokens: ["anna"], revision: "2")))
        #expect(effects == [.prompt(.device(.person("bea")))])
        #expect(run.registrations.devices[.person("anna")]?.phase == .registered)
    }

    @Test(
        "A device-channel profile after one for an account migrates its keys and includes all accounts"
    )
    func everybody() {
        var run = MachineRun()
        run(.planned(plan(["anna"], tokens: ["anna"])))
        run.answer(ownDevice, .success)
        run(.planned(plan(nil, revision: "2")))
        #expect(
            run.attempt(.device(.everyone))?.options.contains(.registrationDeviceKeyMigration)
                == true)
        #expect(run(.arrived("bea")) == [])
        #expect(run.registrations.people["bea"]?.phase == .waitingForDevice)
    }

    @Test("Under shared keys an account's own token registers no machine by itself")
    func sharedKeys() {
        var run = MachineRun()
        var everybody = plan(nil)
        everybody.tokenAccounts = ["anna"]
        #expect(run(.planned(everybody)) == [.prompt(.device(.everyone))])
    }

    @Test("An exempt account is exempt, also where a profile names it")
    func exempt() {
        var run = MachineRun()
        var both = plan(["anna"])
        both.exemptAccounts = ["anna"]
        #expect(run(.planned(both)) == [])
        #expect(run(.begun(anna, by: "anna")) == [.decline(.exempt)])
    }

    @Test("It is the same after it lay on the disk")
    func json() throws {
        var run = MachineRun()
        func stored() throws -> RegistrationStateMachine {
            try RegistrationStateMachine(try #require(run.machine.json.object))
        }
        run(.planned(plan(["anna", "bea"], tokens: ["bea"])))
        #expect(try stored() == run.machine)
        run(.planned(plan(nil, revision: "2")))
        #expect(try stored() == run.machine)
    }
}
