// SPDX-License-Identifier: Apache-2.0

/// The authentication context classes (`acr`) that are given out here, the weakest first. Whoever
/// meets one meets those before it.
package enum ContextClass: String, Sendable, CaseIterable, Comparable {
    /// One factor that can be given away to a page that looks like ours: a password, a code. Ours.
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

/// What a client asks of the way in which somebody signed in.
package struct RequestedContext: Sendable, Equatable {
    /// Classes of ours, best liked first; unknown ones are left out.
    package var classes: [ContextClass] = []
    /// Whether anything else is no answer (OpenID Connect Core section 5.5.1.1).
    package var isEssential = false

    package init(classes: [ContextClass] = [], isEssential: Bool = false) {
        self.classes = classes
        self.isEssential = isEssential
    }
}
