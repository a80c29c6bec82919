// SPDX-License-Identifier: Apache-2.0
import JOSE
import SSOExtensions
import SingleSignOn

extension FuzzTarget {
    /// Both directions between agent and extension, from the stream on: what is read is written as
    /// the same message.
    static let extensionMessage = FuzzTarget(name: "extension-message") { bytes in
        var reader = ExtensionFrameReader()
        let contents = (try? reader.read(bytes)) ?? []
        for content in contents + [bytes] {
            if let message = try? ExtensionFrame.message(ExtensionMessage.self, in: content) {
                check(message)
            }
            if let message = try? ExtensionFrame.message(HostMessage.self, in: content) {
                check(message)
            }
        }
    }

    /// Their encodings are compared: configurations may hold numbers that equal nothing.
    private static func check<Message: ExtensionWireMessage>(_ message: Message) {
        guard let frame = try? ExtensionFrame.bytes(of: message) else { return }
        let again = try? ExtensionFrame.message(Message.self, in: Array(frame.dropFirst(4)))
        precondition(again?.json.bytes == message.json.bytes, "a message does not survive")
    }

    /// Manifests of extensions, the signed and what is signed.
    static let extensionManifest = FuzzTarget(name: "extension-manifest") { bytes in
        _ = try? SignedManifest.verify(bytes)
        guard let json = try? JSONParser.parseObject(bytes, maximumBytes: 65_536),
            let manifest = try? ExtensionManifest(json: json)
        else { return }
        precondition((try? ExtensionManifest(json: manifest.json)) == manifest)
    }
}
