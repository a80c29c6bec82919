// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE

/// The form for the details of one resource, such as a person or a client. It sends only changed
/// members, and the last change can be undone.
struct ConsoleDetails: Sendable {
    /// Identifies the resource in its project, for example `person/SUB`.
    var thing: String
    var fields: [ConsoleField]
    /// The forms post to `change` and `undo` below this path.
    var address: String
    /// The resource as the Admin API returns it.
    var shown: JSONValue

    func forms(
        _ console: ConsoleContext, typed: FormParameters? = nil, refusal: AdministrativeRefusal? = nil
    ) -> [ConsoleForm] {
        let form = ConsoleForm(
            "change", to: address + "/change", button: console.text("save"),
            inputs: [FormSnapshot.input(fields, of: shown, typed: typed)]
                + fields.map {
                    $0.input(console, shown, typed: typed, refusal: typed == nil ? nil : refusal)
                })
        guard let undo = undo(console) else { return [form] }
        return [form, undo.form(to: address + "/undo", of: fields, console)]
    }

    /// What was typed, and is not what was there; null for what was emptied.
    func changes(in form: FormParameters) -> JSONObject {
        var changes = JSONObject()
        for field in fields where field.isChanged(from: shown, in: form) {
            changes[field.name] = field.value(in: form, isWhole: true) ?? .null
        }
        return changes
    }

    /// The last change, if it changed this resource and its members have not changed since.
    func undo(_ console: ConsoleContext) -> ConsoleUndo? {
        guard let undo = ConsoleUndo(of: console), undo.settings == thing,
            undo.fits(shown, console)
        else { return nil }
        return undo
    }

    /// - Parameter after: as it is shown after the change.
    func saved(
        _ console: ConsoleContext, at page: String, after: JSONValue
    ) -> ServerResponse {
        var response = console.redirect(page, done: "saved")
        let names = fields.map(\.name)
        if let undo = ConsoleUndo(thing, names: names, from: shown, to: after, console) {
            undo.save(console, in: &response)
        }
        return response
    }

    static func undone(_ console: ConsoleContext, at page: String) -> ServerResponse {
        var response = console.redirect(page, done: "undone")
        ConsoleUndo.forget(console, in: &response)
        return response
    }
}

extension JSONObject {
    /// With what changes; null takes a member away.
    func merging(_ changes: JSONObject) -> JSONObject {
        var merged = self
        for change in changes.members {
            merged[change.name] = change.value == .null ? nil : change.value
        }
        return merged
    }
}
