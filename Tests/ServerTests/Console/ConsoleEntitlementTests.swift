// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import ProviderInstallations
import Storage
import Support
import Testing

@testable import AdminConsole

/// Sequences of sets, their people, and consumed amounts.
@Suite struct ConsoleEntitlementTests {
    private let root = "/console/projects/default"

    private func offering() async throws -> (house: ConsoleHouse, browser: Browser) {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        for name in ["gold", "basic"] {
            let made = try await browser.submit(
                root + "/entitlement-sets/save", ["name": name, "entitlements": "{\"sms\": 5}"])
            #expect(made.location == root + "/entitlement-sets?done=saved")
        }
        return (house, browser)
    }

    @Test("a sequence is saved as it is written, shown so, and removed")
    func sequences() async throws {
        var (house, browser) = try await offering()
        let path = root + "/entitlement-sequences"
        let saved = try await browser.submit(
            path + "/save", ["name": "trial", "steps": " gold = 30d \r\n\r\nbasic"])
        #expect(saved.location == root + "/entitlement-sets?done=saved")
        let kept = try await house.store.entitlements.entitlementSequence(
            named: "trial", in: house.home.id)
        #expect(kept?.steps.map(\.set) == ["gold", "basic"])
        let durations: [Int64?] = [30 * 86_400, nil]
        #expect(kept?.steps.map(\.duration) == durations)
        let page = try await browser.get(root + "/entitlement-sets").text
        #expect(page.contains("gold = 30d → basic"))
        for steps in ["", "= 3d", "gold = soon", "gold = 0d", "gold = 3d = 4d", "silver"] {
            let answer = try await browser.submit(
                path + "/save", ["name": "other", "steps": steps])
            #expect((400..<500).contains(answer.status.code), "\(steps)")
        }
        let removed = try await browser.submit(path + "/trial/remove", [:])
        #expect(removed.location == root + "/entitlement-sets?done=entitlementSequence")
        let gone = try await house.store.entitlements.entitlementSequence(
            named: "trial", in: house.home.id)
        #expect(gone == nil)
    }

    @Test("saving a person's page leaves them in their sequence")
    func person() async throws {
        var (house, browser) = try await offering()
        let bea = try await house.person("bea")
        _ = try await browser.submit(
            root + "/entitlement-sequences/save", ["name": "trial", "steps": "gold"])
        let page = "\(root)/people/\(bea.id)"
        _ = try await browser.submit(
            page + "/entitlements", ["set": "sequence:trial", "explicit": "{}"])
        let shown = try await browser.get(page).text
        #expect(shown.contains("value=\"sequence:trial\" selected"))
        let now = house.pages.clock.now
        #expect(
            try await house.store.entitlements.entitlements(of: bea.id, now: now)?.place?.sequence
                == "trial")
        let unknown = try await browser.submit(
            page + "/entitlements", ["set": "sequence:nothing", "explicit": #"{"vaults":7}"#])
        #expect(unknown.status == .notFound && unknown.text.contains("vaults&quot;:7"))
        let torn = try await browser.submit(
            page + "/entitlements", ["set": "", "explicit": "vaults 7"])
        #expect(torn.status == .conflict && torn.text.contains("value=\"vaults 7\""))
    }

    @Test("amounts are given once, however often the button is pressed, and never below zero")
    func amounts() async throws {
        var (house, browser) = try await offering()
        let bea = try await house.person("bea")
        let page = "\(root)/people/\(bea.id)"
        let form = [
            "request_id": "01890a5d-ac96-774b-bcce-b302099a8057", "amounts": "sms = 100",
        ]
        for _ in 0..<2 {
            let answer = try await browser.submit(page + "/expendable", form)
            #expect(answer.location == page + "?done=saved")
        }
        #expect(try await house.store.entitlements.expendables(of: bea.id) == ["sms": 100])
        for (id, amounts) in [
            ("", "sms = 1"), ("01890a5d-ac96-774b-bcce-b302099a8058", "sms = many"),
            ("01890a5d-ac96-774b-bcce-b302099a8059", "sms = -101"),
        ] {
            _ = try await browser.get(page)
            let answer = try await browser.submit(
                page + "/expendable", ["request_id": id, "amounts": amounts])
            #expect((400..<500).contains(answer.status.code), "\(amounts)")
            // To be mended, not to be typed again.
            #expect(answer.text.contains(">\(amounts)</textarea>"), "\(amounts)")
        }
        #expect(try await house.store.entitlements.expendables(of: bea.id) == ["sms": 100])
    }

    @Test(
        "steps are read back as they are written",
        arguments: [
            ["gold = 30d", "basic"], ["gold = 36h"], ["gold = 90m", "basic = 45s"], ["gold"],
        ])
    func lines(_ lines: [String]) throws {
        let steps = try #require(SequenceLines(typed: lines.joined(separator: "\n")))
        #expect(steps.text == lines)
        #expect(try EntitlementFields.steps(steps.json).get() == steps.steps)
    }

    @Test(
        "what is no step is refused",
        arguments: [
            "=1d", "gold=", "gold=d", "gold=-1d", "gold=1w", "gold=99999999999999999999d",
            "gold=9223372036854775807d", "a=1d=2d",
        ])
    func noSteps(_ text: String) { #expect(SequenceLines(typed: text) == nil) }
}
