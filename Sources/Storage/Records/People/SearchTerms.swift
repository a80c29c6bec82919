// SPDX-License-Identifier: Apache-2.0
package import Primitives
import UnicodeNormalization

/// The search terms of a person besides the username: the prefixes of all words of their names, and
/// their email address. Accents and case are removed.
package enum SearchTerms {
    /// The maximum number of bytes of a stored term and of a searched term.
    private static let maximumLength = 64
    private static let maximumCount = 12

    package static func folded(_ text: String) -> String {
        let letters = NormalizationForm.compatibilityDecomposed(text).unicodeScalars
            .filter { $0.properties.generalCategory != .nonspacingMark && $0.value > 0x1F }
        var folded = String(String.UnicodeScalarView(letters)).lowercased()
            .replacing("ß", with: "ss")
        while folded.utf8.count > maximumLength { folded.removeLast() }
        return folded
    }

    /// Returns the terms. None is a prefix of another or of the username, by which people are found
    /// anyway.
    package static func of(_ person: Person) -> [String] {
        let claims = person.claims
        let names = [claims.name, claims.familyName, claims.givenName, claims.nickname]
        let all = names.compactMap(\.self).flatMap(tails) + [claims.email ?? ""]
        var terms: [String] = []
        for term in all.map(folded).sorted(by: { $0.utf8.count > $1.utf8.count }) {
            let isKnown =
                term.isEmpty || person.username.hasPrefix(term)
                || terms.contains { $0.hasPrefix(term) }
            if !isKnown, terms.count < maximumCount { terms.append(term) }
        }
        return terms
    }

    /// Returns a name from each of its words on.
    private static func tails(_ name: String) -> [String] {
        let words = name.split(whereSeparator: \.isWhitespace).prefix(maximumCount)
        return words.indices.map { words[$0...].joined(separator: " ") }
    }
}

/// A person who was found, and the term that matched.
package struct FoundPerson: Sendable, Equatable {
    package var person: Person
    package var term: String

    /// The position after which a list of terms continues.
    package struct Position: Sendable, Equatable {
        package var term: String
        package var person: Identifier<Person>

        package init(term: String, person: Identifier<Person>) {
            self.term = term
            self.person = person
        }
    }

    package init(person: Person, term: String) {
        self.person = person
        self.term = term
    }
}
