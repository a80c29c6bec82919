// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A W3C WebDriver session with headless Chromium. Elements are found by CSS selector.
final class WebDriver: Sendable {
    /// A refusal of the driver: its error code and message.
    struct Refused: Error, CustomStringConvertible {
        let code: String
        let message: String
        var description: String { "\(code): \(message.prefix(300))" }
    }

    /// How the browser presents itself.
    struct Window: Sendable {
        var width = 1100
        var height = 800
        var language = "en-US"
        var dark = false
        /// Where the browser keeps its trust; the person's own unless named.
        var home: URL?
        /// Whether every host name means this machine.
        var isAlone = false
    }

    private let driver: ChildProcess
    private let port: Int
    private let session: String

    static var isInstalled: Bool {
        Repository.has("chromedriver") && Repository.has("chromium")
    }

    init(_ window: Window = Window()) async throws {
        guard let program = Repository.path(of: "chromedriver"),
            let browser = Repository.path(of: "chromium")
        else { throw HarnessError("chromium and chromedriver are not installed") }
        let port = try Connection.freePort()
        driver = try ChildProcess(
            program, ["--port=\(port)"], log: Repository.outputFile("chromedriver.log"),
            environment: window.home.map { ["HOME": $0.path()] } ?? [:])
        self.port = port
        try await eventually("chromedriver answers") {
            let answer = try await exchange(.init(path: "/status"), port: port)
            return answer.status == 200 ? true : nil
        }
        let made = try await Self.send(
            "POST", "/session", Self.capabilities(browser, window), port: port)
        guard let session = made["sessionId"].string else {
            throw HarnessError("no session: \(made.text)")
        }
        self.session = session
        if window.dark { try await emulateDarkMode() }
    }

    private static func capabilities(_ browser: URL, _ window: Window) -> JSON {
        let arguments: [JSON] = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
            "--hide-scrollbars", .string("--lang=\(window.language)"),
            .string("--window-size=\(window.width),\(window.height)"),
            .string(window.isAlone ? "--host-resolver-rules=MAP * 127.0.0.1" : "--mute-audio"),
        ]
        let options: JSON = [
            "binary": .string(browser.path()), "args": .array(arguments),
            "prefs": ["intl.accept_languages": .string(window.language)],
        ]
        let always: JSON = [
            "browserName": "chrome", "goog:chromeOptions": options,
            "webauthn:virtualAuthenticators": true,
        ]
        return ["capabilities": ["alwaysMatch": always]]
    }

    /// Ends the browser. Call it at the end of a story: a dropped driver would orphan Chromium.
    func quit() async {
        _ = try? await command("DELETE", "")
        _ = try? await driver.stop()
    }

    @discardableResult
    func command(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        try await Self.send(method, "/session/\(session)\(path)", body, port: port)
    }

    private static func send(
        _ method: String, _ path: String, _ body: JSON?, port: Int
    ) async throws -> JSON {
        let content = body?.bytes ?? (method == "POST" ? Array("{}".utf8) : [])
        let request = HTTPRequestText(
            method: method, path: path, headers: [("Content-Type", "application/json")],
            body: content)
        let answer = try await exchange(request, port: port, timeout: 60)
        let value = try JSON(parsing: answer.body)["value"]
        guard answer.status == 200 else {
            throw Refused(
                code: value["error"].string ?? "\(answer.status)",
                message: value["message"].string ?? "")
        }
        return value
    }
}
