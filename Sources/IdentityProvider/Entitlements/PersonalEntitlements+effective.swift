// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
import JOSE
package import Storage

extension PersonalEntitlements {
    /// What counts: the set, and over it what is the person's alone.
    package var effective: Entitlements {
        let own = Entitlements(stored: explicit)
        return ofSet.map { Entitlements(stored: $0).overlaid(by: own) } ?? own
    }
}

extension Entitlements {
    /// What is stored was checked when it was; what cannot be read gives nobody anything.
    package init(stored text: String) {
        let object = try? JSONParser.parseObject(Array(text.utf8), maximumBytes: 65_536)
        self = (object.flatMap { try? Entitlements($0) }) ?? Entitlements()
    }

    package var text: String { JSONValue.object(json).text }
}

extension Entitlements.Mistake {
    /// One sentence for whoever wrote them.
    package var message: String {
        switch self {
        case .tooMany: "There are more than \(Entitlements.most) entitlements."
        case .name(let name):
            "\"\(name.prefix(128))\" is no name: 1 to 128 ASCII letters, digits and . _ : -"
        case .value(let name): "\(name) must be true, false, or a whole number, zero or more."
        }
    }
}

extension Entitlements.Mistake {
    /// The same of a value in a document.
    var complaint: StateComplaint {
        let most = StateComplaint.Value.text(String(Entitlements.greatestAmount))
        return switch self {
        case .tooMany: StateComplaint(.tooManyEntitlements, ["most": "\(Entitlements.most)"])
        case .name(let name): StateComplaint(.notEntitlementName).quoting(name)
        case .value(let name): StateComplaint(.notEntitlement, ["most": most]).of(name)
        }
    }
}
