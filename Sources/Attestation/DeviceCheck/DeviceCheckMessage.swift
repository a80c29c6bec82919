// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives

/// What can be asked of Apple's DeviceCheck service (Apple, "Accessing and Modifying Per-Device
/// Data").
package enum DeviceCheckRequest: Sendable, Equatable {
    /// Is the token one of a genuine device with an app of the team?
    case validate
    /// What do the two bits of the device say?
    case query
    /// Remember these two bits.
    case update(bit0: Bool, bit1: Bool)

    var endpoint: String {
        switch self {
        case .validate: "validate_device_token"
        case .query: "query_two_bits"
        case .update: "update_two_bits"
        }
    }
}

/// One question about one device, as it is sent.
package struct DeviceCheckMessage: Sendable {
    package let question: DeviceCheckRequest
    /// What `DCDevice.generateToken` gave the app.
    package let token: [UInt8]
    package let transaction: Identifier<DeviceCheckMessage>
    package let now: Timestamp

    /// The longest token that is sent on, in bytes.
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
