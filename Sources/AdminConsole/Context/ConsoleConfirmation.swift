// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Storage

/// Verifies that an irreversible action was confirmed: the administrator typed the name of the
/// resource into a page that displayed it a short time ago.
///
/// The page carries a seal over what it displayed: the action (its URL), the name, the session and
/// the time. A seal of another page, of an older name or of another session is stale.
struct ConsoleConfirmation: Sendable {
    /// Where the seal comes back.
    static let seal = "seal"
    /// The time for which a confirmation page is accepted.
    static let lifetime = TimeSpan.minutes(10)
    private static let timeLength = 8

    let secrets: DerivedKeys
    let session: Identifier<Session>
    /// The URL of the action.
    let act: String

    enum Outcome: Equatable {
        case confirmed
        /// Something else was typed.
        case differs
        /// The page is too old, or not about this.
        case stale
    }

    func seal(_ word: String, now: Timestamp) -> String {
        let time = Self.bytes(of: now)
        return Base64URL.encode(time + tag(time, word))
    }

    /// - Parameters:
    ///   - word: the name as it is now.
    ///   - typed: what the administrator wrote.
    func verify(_ seal: String?, typed: String?, word: String, now: Timestamp) -> Outcome {
        guard let seal, let bytes = Base64URL.decode(seal), bytes.count > Self.timeLength,
            ConstantTime.equal(
                Array(bytes.dropFirst(Self.timeLength)),
                tag(Array(bytes.prefix(Self.timeLength)), word)),
            let made = Self.time(of: bytes.prefix(Self.timeLength)),
            made <= now, now - made <= Self.lifetime
        else { return .stale }
        return typed.map(Self.readable) == Self.readable(word) ? .confirmed : .differs
    }

    /// A name as people can type it. Browsers show many spaces as one, and some characters not at
    /// all; names that programs have given may hold both.
    static func readable(_ name: String) -> String {
        let visible = name.unicodeScalars.filter {
            !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .control
                || $0.properties.isWhitespace
        }
        return String(String.UnicodeScalarView(visible)).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }

    private func tag(_ time: [UInt8], _ word: String) -> [UInt8] {
        let text = [act, session.description, word].joined(separator: "\u{0}")
        return secrets.hash(time + Array(text.utf8), for: .confirmation)
    }

    private static func bytes(of time: Timestamp) -> [UInt8] {
        withUnsafeBytes(of: time.milliseconds.bigEndian) { Array($0) }
    }

    private static func time(of bytes: ArraySlice<UInt8>) -> Timestamp? {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(exactly: number).map { Timestamp(milliseconds: $0) }
    }
}
