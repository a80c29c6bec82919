// SPDX-License-Identifier: Apache-2.0

/// The supported authentication context classes (`acr`), the weakest first. Each class includes the
/// weaker ones.
package enum ContextClass: String, Sendable, CaseIterable, Comparable {
    /// One factor that a person can enter on a phishing page: a password, a code. Specific to
    /// Gatehouse.
    case password = "urn:gatehouse:acr:password"
    /// Phishing-resistant: a key whose signature names the origin (OpenID Connect Extended
    /// Authentication Profile ACR Values 1.0, section 2).
    case phishingResistant = "phr"
    /// The same, and the key is held by hardware (same section).
    case phishingResistantHardware = "phrh"

    /// By the exact bytes of its name.
    package init?(exactly name: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) })
        else { return nil }
        self = found
    }

    package static func < (left: ContextClass, right: ContextClass) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .password: 0
        case .phishingResistant: 1
        case .phishingResistantHardware: 2
        }
    }
}

/// A client's requirements for the authentication of the person.
package struct RequestedContext: Sendable, Equatable {
    /// The supported classes, preferred first; unknown ones are ignored.
    package var classes: [ContextClass] = []
    /// Whether other classes are refused (OpenID Connect Core section 5.5.1.1).
    package var isEssential = false

    package init(classes: [ContextClass] = [], isEssential: Bool = false) {
        self.classes = classes
        self.isEssential = isEssential
    }

    /// The weakest class that the client accepts, if it accepts only keys.
    package var requiredKeyClass: ContextClass? {
        guard isEssential, let weakest = classes.min(), weakest > .password else { return nil }
        return weakest
    }
}
