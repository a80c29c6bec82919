// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// developer.apple.com/documentation/devicecheck, each page by the name of what it describes.
public import Foundation

// documentation/devicecheck/dcappattestservice
open class DCAppAttestService: NSObject {
    open class var shared: DCAppAttestService { DCAppAttestService() }
    open var isSupported: Bool { false }

    open func generateKey(
        completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {}

    open func attestKey(
        _ keyId: String, clientDataHash: Data,
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {}

    open func generateAssertion(
        _ keyId: String, clientDataHash: Data,
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {}
}

// documentation/devicecheck/dcdevice
open class DCDevice: NSObject {
    open class var current: DCDevice { DCDevice() }
    open var isSupported: Bool { false }

    open func generateToken(
        completionHandler completion: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {}
}

// documentation/devicecheck/dcerror-swift.struct
public struct DCError: Error {
    public enum Code: Int, Sendable {
        case unknownSystemFailure, featureUnsupported, invalidInput, invalidKey, serverUnavailable
    }

    public let code: Code
}
