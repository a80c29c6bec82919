// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives

/// A request to Apple's DeviceCheck service (Apple, "Accessing and Modifying Per-Device Data").
package enum DeviceCheckRequest: Sendable, Equatable {
    /// A validation that the token is one of a genuine device with an app of the team.
    case validate
    /// A query of the two bits of the device.
    case query
    /// An update of the two bits.
    case update(bit0: Bool, bit1: Bool)

    var endpoint: String {
        switch self {
        case .validate: "validate_device_token"
        case .query: "query_two_bits"
        case .update: "update_two_bits"
        }
    }
}

/// One request about one device, in its transmitted form.
package struct DeviceCheckMessage: Sendable {
    package let question: DeviceCheckRequest
    /// The result of `DCDevice.generateToken` in the app.
    package let token: [UInt8]
    package let transaction: Identifier<DeviceCheckMessage>
    package let now: Timestamp

    /// The maximum size of a token, in bytes.
    package static let maximumTokenBytes = 16_384

    package init(
        _ question: DeviceCheckRequest, token: [UInt8],
        transaction: Identifier<DeviceCheckMessage>, now: Timestamp
    ) {
        self.question = question
        self.token = token
        self.transaction = transaction
        self.now = now
    }

    /// The request without its authorization. The time is in milliseconds here, unlike in the JWT.
    package var body: [UInt8] {
        var object = JSONObject([
            .init(name: "device_token", value: .string(Base64.encode(token))),
            .init(name: "transaction_id", value: .string(transaction.description)),
            .init(name: "timestamp", value: .integer(now.milliseconds)),
        ])
        if case .update(let bit0, let bit1) = question {
            object["bit0"] = .bool(bit0)
            object["bit1"] = .bool(bit1)
        }
        return object.bytes
    }

    /// - Parameters:
    ///   - host: With the scheme, `https://api.devicecheck.apple.com`.
    ///   - authorization: The bearer token of ``DeviceCheckKey``.
    package func request(host: String, authorization: Secret) -> AttestationHTTPRequest {
        AttestationHTTPRequest(
            method: "POST", url: "\(host)/v1/\(question.endpoint)",
            headers: [
                .init("authorization", "Bearer \(authorization.revealText())"),
                .init("content-type", "application/json"),
            ], body: body)
    }
}
