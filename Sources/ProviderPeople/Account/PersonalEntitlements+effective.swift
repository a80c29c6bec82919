// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
import JOSE
package import ProviderSettings
package import Storage

extension PersonalEntitlements {
    /// The values of the set, overlaid by those of the person.
    package var effective: EntitlementValues {
        let own = EntitlementValues(stored: explicit)
        return ofSet.map { EntitlementValues(stored: $0).overlaid(by: own) } ?? own
    }
}

extension EntitlementValues {
    /// Parses stored text, which was validated when it was saved. Text that cannot be parsed gives
    /// no entitlements.
    package init(stored text: String) {
        let object = try? JSONParser.parseObject(Array(text.utf8), maximumBytes: 65_536)
        self = (object.flatMap { try? EntitlementValues($0) }) ?? EntitlementValues()
    }

    package var text: String { JSONValue.object(json).text }
}

extension EntitlementValues.ParseError {
    /// One sentence for the author of the values.
    package var message: String {
        switch self {
        case .tooMany: "There are more than \(EntitlementValues.maximumCount) entitlements."
        case .name(let name):
            "\"\(name.prefix(128))\" is not a name: 1 to 128 ASCII letters, digits and . _ : -"
        case .value(let name): "\(name) must be true, false, or a whole number, zero or more."
        }
    }
}

extension EntitlementValues.ParseError {
    /// The same as an issue of a state document.
    package var complaint: ValidationIssue {
        let most = ValidationIssue.Value.text(String(EntitlementValues.greatestAmount))
        return switch self {
        case .tooMany:
            ValidationIssue(.tooManyEntitlements, ["most": "\(EntitlementValues.maximumCount)"])
        case .name(let name): ValidationIssue(.notEntitlementName).quoting(name)
        case .value(let name): ValidationIssue(.notEntitlement, ["most": most]).of(name)
        }
    }
}
