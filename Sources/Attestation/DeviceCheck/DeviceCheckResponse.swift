// SPDX-License-Identifier: Apache-2.0
import JOSE

/// The two bits of a device, which remain after the deletion of the app and the erasure of the
/// device.
package struct DeviceCheckBits: Sendable, Equatable {
    package let bit0: Bool
    package let bit1: Bool
    /// The month of the last update, `YYYY-MM`.
    package let lastUpdate: String?

    package init(bit0: Bool, bit1: Bool, lastUpdate: String? = nil) {
        self.bit0 = bit0
        self.bit1 = bit1
        self.lastUpdate = lastUpdate
    }
}

/// Apple's response. An unknown result is `unknown` and differs from unset bits: an outage must not
/// let a refused device register.
package enum DeviceCheckResponse: Sendable, Equatable {
    /// The token was validated, or the bits were updated.
    case done
    case bits(DeviceCheckBits)
    /// A genuine device whose bits were never set.
    case neverSet
    /// The token is not one of a genuine device with an app of the team.
    case badToken(String)
    /// The configured key, key id or team is wrong: the operator must correct it.
    case notAuthorized(String)
    /// There was no usable response: too many requests, an outage or invalid data.
    case unknown(String)

    /// The maximum size of a response, in bytes.
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
        else { return .unknown("a response that contains neither bits nor their absence") }
        return .bits(
            DeviceCheckBits(
                bit0: bit0, bit1: bit1, lastUpdate: object["last_update_time"]?.string))
    }

    /// Plain text instead of JSON; the service has sent both.
    private static let unset = ["Failed to find bit state", "Bit State Not Found"]
}
