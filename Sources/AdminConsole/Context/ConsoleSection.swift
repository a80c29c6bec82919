// SPDX-License-Identifier: Apache-2.0

/// A card on a page of the console: facts, a table, a secret and forms, each displayed if it is not
/// empty. All pages use the same template.
struct ConsoleSection {
    var title = ""
    var hint = ""
    var facts: [ConsoleFact] = []
    /// Filters, displayed above the table.
    var filters: [ConsoleForm] = []
    var table: ConsoleTable?
    /// A secret that is displayed once.
    var secret: ConsoleSecret?
    var links: [ConsoleLink] = []
    var forms: [ConsoleForm] = []

    /// Whether something that was typed here is wrong, and says so.
    var isMarked: Bool { forms.contains { $0.inputs.contains { !$0.wrong.isEmpty } } }

    /// The template values. Every key is present, also if it is empty, so that a template does not
    /// read the key of an outer scope.
    func values(_ place: String) -> [String: Any] {
        [
            "anchor": place, "title": shown(title), "hint": shown(hint),
            "hasFacts": !facts.isEmpty, "facts": facts.map(\.values),
            "filters": filters.map(\.values), "table": table?.values ?? false as Any,
            "secret": secret?.values ?? false as Any, "hasLinks": !links.isEmpty,
            "links": links.map(\.values), "forms": forms.map(\.values),
        ]
    }
}

struct ConsoleFact {
    var label: String
    var cell: ConsoleCell

    init(_ label: String, _ cell: ConsoleCell) {
        self.label = label
        self.cell = cell
    }

    var values: [String: Any] { cell.values.merging(["label": label]) { $1 } }
}

/// One value as people read it.
struct ConsoleCell {
    enum Tone { case plain, good, bad }

    var text: String
    var hint = ""
    var href: String?
    /// As a badge.
    var tone: Tone?
    var isCode = false

    init(
        _ text: String, hint: String = "", href: String? = nil, tone: Tone? = nil,
        isCode: Bool = false
    ) {
        self.text = text
        self.hint = hint
        self.href = href
        self.tone = tone
        self.isCode = isCode
    }

    var values: [String: Any] {
        [
            "text": text, "more": shown(hint), "href": href ?? false as Any,
            "isBlank": text.isEmpty && hint.isEmpty, "isBadge": tone != nil, "good": tone == .good,
            "bad": tone == .bad, "isCode": isCode,
        ]
    }
}

struct ConsoleTable {
    var columns: [String]
    var rows: [[ConsoleCell]]
    /// The text that is displayed if there are no rows.
    var empty: String
    /// The URL of the next page of the list.
    var next: String?
    /// The URL of the first page of the list.
    var first: String?

    var values: [String: Any] {
        [
            "columns": columns, "hasRows": !rows.isEmpty, "empty": empty,
            "rows": rows.map { row in
                [
                    "cells": zip(columns, row).map { column, cell in
                        cell.values.merging(["column": column]) { $1 }
                    }
                ]
            },
            "isPaged": next != nil || first != nil, "next": next ?? false as Any,
            "first": first ?? false as Any,
        ]
    }
}

struct ConsoleLink {
    var text: String
    var href: String
    var isDanger = false
    var action = ""

    var values: [String: Any] {
        ["text": text, "href": href, "isDanger": isDanger, "action": action]
    }
}

/// Something that is never shown again: to be read, or to be kept as a file.
struct ConsoleSecret {
    var label: String
    var text: String
    /// Name and `data:` URL of the same as a file.
    var file: (name: String, url: String)?

    var values: [String: Any] {
        let hasLines = text.contains("\n")
        return [
            "label": label, "text": text, "hasLines": hasLines,
            "file": file.map { ["name": $0.name, "url": $0.url] } ?? false as Any,
        ]
    }
}

/// Empty text as something that draws nothing.
private func shown(_ text: String) -> Any { text.isEmpty ? false : text }
