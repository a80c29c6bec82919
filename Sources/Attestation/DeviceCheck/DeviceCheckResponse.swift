// SPDX-License-Identifier: Apache-2.0
import JOSE

/// The two bits of a device, which stay when the app is deleted and the device is erased.
package struct DeviceCheckBits: Sendable, Equatable {
    package let bit0: Bool
    package let bit1: Bool
    /// `YYYY-MM`, when they were last set.
    package let lastUpdate: String?

    package init(bit0: Bool, bit1: Bool, lastUpdate: String? = nil) {
        self.bit0 = bit0
        self.bit1 = bit1
        self.lastUpdate = lastUpdate
    }
}

/// What Apple answered. What is not known is `unknown`, and never the same as bits that nobody has
/// set: an outage must not let a device register that was turned away.
package enum DeviceCheckResponse: Sendable, Equatable {
    /// Validated, or updated.
    case done
    case bits(DeviceCheckBits)
    /// A genuine device, whose bits nobody has set.
    case neverSet
    /// The token is not one of a genuine device with an app of the team.
    case badToken(String)
    /// Our own key, key id or team is wrong: a matter for the operator.
    case notAuthorized(String)
    /// No answer, or none that says anything: too many requests, an outage, nonsense.
    case unknown(String)

    /// The longest answer that is looked at, in bytes.
    package static let maximumBytes = 4096

    package init(_ response: AttestationHTTPResponse, to question: DeviceCheckRequest) {
        let text = String(decoding: response.body.prefix(200), as: UTF8.self)
        switch response.status {
        case 200: self = Self.success(response.body, text, question)
        case 400: self = .badToken(text)
        case 401, 403: self = .notAuthorized(text)
        default: self = .unknown("HTTP \(response.status): \(text)")
        }
    }

    private static func success(
        _ body: [UInt8], _ text: String, _ question: DeviceCheckRequest
    ) -> DeviceCheckResponse {
        guard question == .query else { return .done }
        if unset.contains(where: { text.hasPrefix($0) }) { return .neverSet }
        guard let object = try? JSONParser.parseObject(body, maximumBytes: maximumBytes),
            let bit0 = object["bit0"]?.bool, let bit1 = object["bit1"]?.bool
        else { return .unknown("an answer that is neither bits nor their absence") }
        return .bits(
            DeviceCheckBits(
                bit0: bit0, bit1: bit1, lastUpdate: object["last_update_time"]?.string))
    }

    /// Plain text in the place of JSON; both have been seen.
    private static let unset = ["Failed to find bit state", "Bit State Not Found"]
}
