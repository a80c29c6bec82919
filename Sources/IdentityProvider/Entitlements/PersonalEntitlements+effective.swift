// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
import JOSE
package import Storage

extension PersonalEntitlements {
    /// What counts: the set, and over it what is the person's alone.
    package var effective: EntitlementValues {
        let own = EntitlementValues(stored: explicit)
        return ofSet.map { EntitlementValues(stored: $0).overlaid(by: own) } ?? own
    }
}

extension EntitlementValues {
    /// What is stored was checked when it was; what cannot be read gives nobody anything.
    package init(stored text: String) {
        let object = try? JSONParser.parseObject(Array(text.utf8), maximumBytes: 65_536)
        self = (object.flatMap { try? EntitlementValues($0) }) ?? EntitlementValues()
    }

    package var text: String { JSONValue.object(json).text }
}

extension EntitlementValues.ParseError {
    /// One sentence for whoever wrote them.
    package var message: String {
        switch self {
        case .tooMany: "There are more than \(EntitlementValues.most) entitlements."
        case .name(let name):
            "\"\(name.prefix(128))\" is no name: 1 to 128 ASCII letters, digits and . _ : -"
        case .value(let name): "\(name) must be true, false, or a whole number, zero or more."
        }
    }
}

extension EntitlementValues.ParseError {
    /// The same of a value in a document.
    var complaint: ValidationIssue {
        let most = ValidationIssue.Value.text(String(EntitlementValues.greatestAmount))
        return switch self {
        case .tooMany: ValidationIssue(.tooManyEntitlements, ["most": "\(EntitlementValues.most)"])
        case .name(let name): ValidationIssue(.notEntitlementName).quoting(name)
        case .value(let name): ValidationIssue(.notEntitlement, ["most": most]).of(name)
        }
    }
}
