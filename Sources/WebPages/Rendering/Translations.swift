// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import ProviderCore

/// The texts of pages and mails: a JSON file for each language (`de.json`), and further ones for
/// parts with many texts (`console.de.json`).
package struct Translations: Sendable {
    /// By code (`en`, `de`).
    package let languages: [String: Language]
    /// The language for readers who prefer none of the available ones.
    package static let fallback = "en"

    package enum LoadError: Error {
        case unreadable(String)
        case noFallback
    }

    init(_ files: [String: [UInt8]]) throws {
        languages = try files.reduce(into: [:]) { languages, file in
            let object = try JSONParser.parseObject(file.value, maximumBytes: 1 << 20)
            var texts: [String: String] = [:]
            for member in object.members {
                guard let text = member.value.string else { throw LoadError.unreadable(file.key) }
                texts[member.name] = text
            }
            let code = String(file.key.split(separator: ".").last ?? "")
            texts.merge(languages[code]?.texts ?? [:]) { new, _ in new }
            languages[code] = Language(code: code, texts: texts)
        }
        guard languages[Self.fallback] != nil else { throw LoadError.noFallback }
    }

    /// All languages in order of their codes, for the switch in the footer.
    package var all: [Language] { languages.values.sorted { $0.code < $1.code } }

    /// The values of the footer's switch.
    ///
    /// - Parameter address: the URL of the page in a language.
    func links(from current: Language, _ address: (Language) -> String) -> [[String: Any]] {
        all.map { other in
            [
                "code": other.code, "name": other.text("languageName"),
                "current": other.code == current.code, "href": address(other),
            ]
        }
    }

    /// The first of `wanted` (BCP 47 tags, best first) that there is: `de-AT` finds `de`.
    package func choose(_ wanted: [String]) -> Language {
        for tag in wanted.prefix(16) {
            let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
            if let language = languages[primary] { return language }
        }
        return languages[Self.fallback] ?? Language(code: Self.fallback, texts: [:])
    }
}

/// One language's texts.
package struct Language: Sendable {
    package let code: String
    package let texts: [String: String]

    /// The text with `{name}` replaced by values. A missing key shows as itself; a test sees to it
    /// that there is none.
    package func text(_ key: String, _ values: [String: String] = [:]) -> String {
        var text = texts[key] ?? key
        // One pass for each value; what a value brings in is never replaced again.
        guard !values.isEmpty else { return text }
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        text = String(parts.first ?? "")
        for part in parts.dropFirst() {
            guard let end = part.firstIndex(of: "}"), let value = values[String(part[..<end])]
            else {
                text += "{" + part
                continue
            }
            text += value + part[part.index(after: end)...]
        }
        return text
    }

    /// A refusal in this language, with how long to wait. Its code is the key; the English message
    /// is the key of a refusal whose code has no text, such as `invalid_request`.
    package func text(for refusal: Refusal) -> String {
        text(for: refusal, otherwise: refusal.message)
    }

    /// A refusal for a page that a person sees. A refusal without a text in this language is about an
    /// invalid request of a client; its message is in English, for the client's developer.
    func pageText(for refusal: Refusal) -> String {
        let isEnglish = code == Translations.fallback
        return text(
            for: refusal, otherwise: isEnglish ? refusal.message : text("errorBadRequest"))
    }

    private func text(for refusal: Refusal, otherwise message: String) -> String {
        let known = texts["refusal.\(refusal.code)"] ?? texts[refusal.message] ?? message
        guard let seconds = refusal.retryAfter else { return known }
        return known + " " + text("retryIn", ["wait": wait(seconds)])
    }

    private func wait(_ seconds: Int64) -> String {
        seconds <= 90
            ? text("secondsWait", ["n": String(seconds)])
            : text("minutesWait", ["n": String((seconds + 59) / 60)])
    }

    /// A moment in the past as people say it; beyond a week the date (UTC).
    package func when(_ time: Timestamp, now: Timestamp) -> String {
        let minutes = max(0, (now - time).seconds / 60)
        switch minutes {
        case 0: return text("justNow")
        case 1: return text("minuteAgo")
        case 2..<60: return text("minutesAgo", ["n": String(minutes)])
        case 60..<120: return text("hourAgo")
        case 120..<1440: return text("hoursAgo", ["n": String(minutes / 60)])
        case 1440..<2880: return text("dayAgo")
        case 2880..<10080: return text("daysAgo", ["n": String(minutes / 1440)])
        default: return date(time)
        }
    }

    private func date(_ time: Timestamp) -> String {
        let day = CivilTime(time).date
        let months = text("months").split(separator: ",")
        let index = day.month - 1
        let month = months.indices.contains(index) ? String(months[index]) : String(day.month)
        return text(
            "date", ["day": String(day.day), "month": month, "year": String(day.year)])
    }
}
