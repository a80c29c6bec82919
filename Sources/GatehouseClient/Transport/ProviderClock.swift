// SPDX-License-Identifier: Apache-2.0
import Primitives
import Synchronization

/// The provider's time: this device's clock, corrected by the provider's responses.
///
/// Everything that depends on the provider's time uses this clock, so that an app works on a device
/// with a wrong one. The lifetime of a token is measured with the device's clock, from the time of
/// the request.
final class ProviderClock: WallClock {
    private let machine: any WallClock
    /// The difference to the device's clock; `nil` before the first response.
    private let correction = Mutex<TimeSpan?>(nil)

    /// A date has whole seconds, and is on its way for a while: only a clock that is clearly wrong
    /// is corrected.
    private static let tolerance = TimeSpan.seconds(-30)...TimeSpan.seconds(30)

    init(_ machine: any WallClock) { self.machine = machine }

    var now: Timestamp { machine.now + (correction.withLock { $0 } ?? .seconds(0)) }

    /// Whether the provider has said what time it is.
    var isTold: Bool { correction.withLock { $0 != nil } }

    /// The tolerated difference of this clock for data that the provider has just sent: a day if
    /// the provider's time is unknown.
    var leeway: TimeSpan { isTold ? .seconds(60) : .days(1) }

    /// Looks at the date of an answer that comes from no cache.
    func hear(_ answer: ResourceResponse) {
        guard let time = answer.header("date").flatMap(HTTPDate.read) else { return }
        let difference = time - machine.now
        correction.withLock {
            $0 = Self.tolerance.contains(difference) ? .seconds(0) : difference
        }
    }
}

/// The date of an HTTP answer (RFC 9110 section 5.6.7, the one form that is still written).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func read(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT",
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        return Timestamp(
            rfc3339: "\(parts[3])-\(twoDigits(month + 1))-\(parts[1])T\(parts[4])Z")
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
