// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderAdministration

/// The form for the details of one resource, such as a person or a client. It sends only changed
/// members, and the last change can be undone.
struct ConsoleDetails: Sendable {
    /// Identifies the resource in its project, for example `person/SUB`.
    var thing: String
    var fields: [ConsoleField]
    /// The forms post to `change` and `undo` below this path.
    var address: String
    /// The resource as the operation that saves it takes it.
    var shown: JSONValue
    /// Whether an empty field takes the default; otherwise its empty value is sent.
    var isWhole = true

    func forms(
        _ console: ConsoleContext, typed: FormParameters? = nil,
        refusal: AdministrativeRefusal? = nil
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
            changes[field.name] = field.value(in: form, isWhole: isWhole) ?? .null
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
}

/// The forms that change the details of one resource, and undo the last change.
struct ConsoleDetailForms: Sendable {
    var part: String
    var read: @Sendable (ConsoleContext) async throws -> AdministrativeResult<ConsoleDetails>
    /// Saves changes, if the resource is still as it was read.
    var put:
        @Sendable (ConsoleContext, JSONObject, _ earlier: JSONValue) async throws ->
            AdministrativeResult<JSONValue>
    /// Shows the page of the forms.
    var show:
        @Sendable (ConsoleContext, AdministrativeRefusal?, FormParameters?) async throws ->
            ServerResponse

    func change(_ console: ConsoleContext, _ form: FormParameters) async throws -> ServerResponse {
        let found = try await read(console)
        guard let details = found.value else { return console.refuse(found.refusal, part: part) }
        let answer = try await put(console, details.changes(in: form), details.shown)
        if let refusal = answer.refusal { return try await show(console, refusal, form) }
        let after = try await read(console).value ?? details
        var response = console.redirect(details.address, done: "saved")
        let names = details.fields.map(\.name)
        ConsoleUndo(details.thing, names: names, from: details.shown, to: after.shown, console)?
            .save(console, in: &response)
        return response
    }

    func undo(_ console: ConsoleContext) async throws -> ServerResponse {
        let found = try await read(console)
        guard let details = found.value else { return console.refuse(found.refusal, part: part) }
        guard let undo = details.undo(console) else {
            return try await show(console, .conflict("nothing_to_undo"), nil)
        }
        let answer = try await put(console, undo.before, details.shown)
        if let refusal = answer.refusal { return try await show(console, refusal, nil) }
        var response = console.redirect(details.address, done: "undone")
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
