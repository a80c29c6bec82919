// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage
import WebPages

/// The last change of some settings, which the administrator who made it can undo.
///
/// A cookie contains it for ten minutes: the earlier values, and a hash of the current ones. The
/// cookie is authenticated for the person and the project. It is rejected if another person
/// presents it, or if the same settings have changed since.
struct ConsoleUndo: Sendable {
    static let lifetime: Int64 = 600
    /// The maximum size of the cookie. Browsers store 4096 bytes of each.
    private static let maximumLength = 3072

    /// Identifies the changed settings: the name of ``ConsoleSettings``, or the resource of
    /// ``ConsoleDetails``.
    let settings: String
    /// The changed members with their earlier values.
    let before: JSONObject
    /// A hash of the same members after the change.
    private let mark: String
    private let made: Int64

    /// - Parameters:
    ///   - names: The members that a form can set.
    ///   - old: All settings before the change.
    ///   - new: All settings after the change.
    init?(
        _ settings: String, names: [String], from old: JSONValue, to new: JSONValue,
        _ console: ConsoleContext
    ) {
        let changed = names.filter { old[$0] != new[$0] }
        guard !changed.isEmpty else { return nil }
        self.settings = settings
        before = JSONObject(changed.map { .init(name: $0, value: old[$0] ?? .null) })
        mark = Self.mark(changed, new, console)
        made = console.now.seconds
    }

    /// The change that the browser remembers of this project; `nil` for none that counts.
    init?(of console: ConsoleContext) {
        guard let cookie = console.visit.request.cookie(Self.name(console)),
            cookie.utf8.count <= Self.maximumLength, let bytes = Base64URL.decode(cookie),
            bytes.count > 32
        else { return nil }
        let text = Array(bytes.dropFirst(32))
        guard ConstantTime.equal(Array(bytes.prefix(32)), Self.tag(text, console)),
            let value = try? JSONParser.parseObject(text, maximumBytes: Self.maximumLength),
            let settings = value["settings"]?.string, let mark = value["mark"]?.string,
            let before = value["before"]?.object, let made = value["made"]?.integer,
            made <= console.now.seconds, console.now.seconds - made <= Self.lifetime
        else { return nil }
        (self.settings, self.before, self.mark, self.made) = (settings, before, mark, made)
    }

    /// Whether the settings are still as the change left them.
    func fits(_ now: JSONValue, _ console: ConsoleContext) -> Bool {
        ConstantTime.equal(Array(mark.utf8), Array(Self.mark(before.names, now, console).utf8))
    }

    /// The button that takes it back, with what it is about.
    func form(
        to address: String, of fields: [ConsoleField], _ console: ConsoleContext
    ) -> ConsoleForm {
        let words = fields.filter { before[$0.name] != nil }.map { console.text($0.label) }
        return ConsoleForm(
            "undo", to: address, button: console.text("consoleUndo"), weight: .quiet,
            hint: words.joined(separator: " · "))
    }

    /// Offers it on the next page, unless it is too long for a cookie.
    func save(_ console: ConsoleContext, in response: inout ServerResponse) {
        let value: JSONValue = [
            "settings": .string(settings), "before": .object(before), "mark": .string(mark),
            "made": .integer(made),
        ]
        let cookie = Base64URL.encode(Self.tag(value.bytes, console) + value.bytes)
        guard cookie.utf8.count <= Self.maximumLength else {
            return Self.forget(console, in: &response)
        }
        response.setCookie(
            Self.name(console), cookie, isSecure: console.visit.request.isSecure,
            maxAge: Self.lifetime)
    }

    static func forget(_ console: ConsoleContext, in response: inout ServerResponse) {
        response.setCookie(
            name(console), "", isSecure: console.visit.request.isSecure, maxAge: 0)
    }

    private static func name(_ console: ConsoleContext) -> String {
        console.visit.cookies.consoleUndo
    }

    private static func mark(
        _ names: [String], _ values: JSONValue, _ console: ConsoleContext
    ) -> String {
        let now = JSONObject(names.map { .init(name: $0, value: values[$0] ?? .null) })
        return Base64URL.encode(tag(now.bytes, console))
    }

    private static func tag(_ bytes: [UInt8], _ console: ConsoleContext) -> [UInt8] {
        let place = [
            "undo", console.authority.person.id.description,
            console.tenant?.project.id.description ?? "",
        ].joined(separator: "\u{0}")
        return console.visit.pages.provider.secrets.hash(
            Array(place.utf8) + [0] + bytes, for: .confirmation)
    }
}
