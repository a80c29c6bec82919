// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// What a person does on a page.
extension WebDriver {
    private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"

    func open(_ url: String) async throws {
        try await command("POST", "/url", ["url": .string(url)])
    }

    var url: String {
        get async throws { try await command("GET", "/url").string ?? "" }
    }

    /// All visible text of the page.
    var text: String {
        get async throws {
            try await run("return document.body ? document.body.innerText : ''").string ?? ""
        }
    }

    /// Runs a script in the page and gives what it returns.
    @discardableResult
    func run(_ script: String) async throws -> JSON {
        try await command("POST", "/execute/sync", ["script": .string(script), "args": []])
    }

    /// Goes on inside the frame.
    func enterFrame(_ selector: String) async throws {
        let frame: JSON = [Self.elementKey: .string(try await element(selector))]
        try await command("POST", "/frame", ["id": frame])
    }

    func exists(_ selector: String) async throws -> Bool {
        try await count(selector) > 0
    }

    func count(_ selector: String) async throws -> Int {
        try await run("return document.querySelectorAll(\(JSON.string(selector).text)).length").int
            ?? 0
    }

    /// The first element that matches, waited for.
    func element(_ selector: String) async throws -> String {
        let query: JSON = ["using": "css selector", "value": .string(selector)]
        do {
            return try await eventually("an element \(selector)", within: .seconds(30)) {
                try await command("POST", "/element", query)[Self.elementKey].string
            }
        } catch {
            let page = try await "\(url)\n\(text.prefix(600))"
            throw HarnessError("\(error)\non \(page)")
        }
    }

    /// Clicks it, again if the page changed under the hand.
    func click(_ selector: String) async throws {
        try await eventually("a click on \(selector)", within: .seconds(30)) {
            let id = try await element(selector)
            try await command("POST", "/element/\(id)/click")
            return true
        }
    }

    func type(_ text: String, into selector: String) async throws {
        let id = try await element(selector)
        try await command("POST", "/element/\(id)/clear")
        try await command("POST", "/element/\(id)/value", ["text": .string(text)])
    }

    /// Waits until the address holds the text.
    func arrives(at part: String) async throws {
        do {
            try await eventually("the address holds \(part)", within: .seconds(30)) {
                try await url.contains(part) ? true : nil
            }
        } catch {
            throw HarnessError("\(error)\nat \(try await url)\n\(try await text.prefix(600))")
        }
    }

    /// Waits until the page shows the text.
    func shows(_ part: String) async throws {
        do {
            try await eventually("the page shows \(part)", within: .seconds(30)) {
                try await text.contains(part) ? true : nil
            }
        } catch {
            throw HarnessError("\(error)\nat \(try await url)\n\(try await text.prefix(600))")
        }
    }

    func cookie(_ name: String) async throws -> JSON {
        try await command("GET", "/cookie").array?.first { $0["name"].string == name } ?? .null
    }

    func clearCookies() async throws { try await command("DELETE", "/cookie") }

    /// Keeps a picture of the whole page, not only of what the window shows.
    func screenshot(_ name: String) async throws {
        let metrics = try await chrome("Page.getLayoutMetrics")["cssContentSize"]
        let shot = try await chrome(
            "Page.captureScreenshot",
            [
                "captureBeyondViewport": true,
                "clip": [
                    "x": 0, "y": 0, "width": metrics["width"], "height": metrics["height"],
                    "scale": 1,
                ],
            ])
        guard let data = Data(base64Encoded: shot["data"].string ?? "") else {
            throw HarnessError("no picture")
        }
        try data.write(to: Repository.outputFile("\(name).png"))
    }
}
