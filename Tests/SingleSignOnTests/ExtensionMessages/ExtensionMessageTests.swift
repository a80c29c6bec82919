// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import SingleSignOn
import Support
import Testing

/// The messages between agent and extension: what is written is read, and nothing else is.
@Suite struct ExtensionMessageTests {
    private static let state: ExtensionLoginState = {
        var state = ExtensionLoginState()
        state.isDeviceRegistered = true
        state.registrationToken = Secret("token")
        state.authenticationMethod = .smartCard
        state.extensionData = [.init("a", ["b": 1, "c": .data([1, 2])])]
        state.loginUserName = "anna"
        state.loginConfiguration = JSONObject([.init(name: "clientID", value: "c")])
        state.tokens = JSONObject([.init(name: "refresh_token", value: "r")])
        return state
    }()
    private static let key: PublicJWK? = try? PrivateJWK.generate(for: .es256).publicKey

    static let hostMessages: [HostMessage] =
        [
            .hello(version: 1, identifier: "com.example.sso"), .cancel(7), .stop,
            .request(1, .registerDevice(state.ofTheDevice, .userInteractionEnabled)),
            .request(2, .registerUser(state, userName: nil, .password, [])),
            .request(3, .registrationDidComplete), .request(4, .registrationDidCancel),
            .request(5, .displayNames(state, groups: ["a", "b"])),
            .request(6, .profilePicture(state)),
            .request(8, .authorize(Self.named, state)),
            .request(7, .authorize(.init(url: "https://a.example/", operation: "login"), state)),
            .answer(call: 1, .success(.done)), .answer(call: 1, .success(.key(nil))),
            .answer(call: 2, .success(.data([1, 2, 3]))),
            .answer(call: 3, .success(.certificates([[0x30], [0x31]]))),
            .answer(call: 4, .success(.text(Secret("secret")))),
            .answer(call: 5, .success(.choice(1))),
            .answer(call: 6, .failure(.init(.canceled, "no"))),
        ]
        + (key.map {
            [
                .request(8, .keyWillRotate(state, .sharedDeviceSigning, newKey: $0)),
                .answer(call: 7, .success(.key($0))),
            ]
        } ?? [])

    static let extensionMessages: [ExtensionMessage] =
        [
            .ready(
                version: 1, .init(handlesRegistration: true, handlesAuthorization: false)),
            .answer(1, .registration(.userInterfaceRequired)), .answer(2, .done),
            .answer(3, .decision(true)), .answer(4, .names(["a": "A"])), .answer(5, .picture([1])),
            .answer(6, .authorization(.completed)), .answer(6, .authorization(.notHandled)),
            .answer(6, .authorization(.canceled)),
            .answer(6, .authorization(.headers(["A": "b"]))),
            .answer(
                6,
                .authorization(
                    .response(url: nil, status: 302, headers: ["L": "x"], body: [1]))),
            .answer(6, .authorization(.failed(domain: "d", code: -1, reason: "r"))),
        ]
        + ([
            .key(.init(.currentDeviceSigning)), .certificates(.userSmartCard),
            .sign(.init(.userSecureEnclaveKey, isPending: true), .es256, message: [1]),
            .attest(.init(.currentDeviceSigning), clientDataHash: [1]),
            .attestationStatement(
                .init(.sharedDeviceSigning, isPending: true), clientDataHash: [1]),
            .beginKeyRotation(.sharedDeviceSigning), .completeKeyRotation(.sharedDeviceSigning),
            .resetKeys, .resetDeviceKeys, .resetUserSecureEnclaveKey,
            .saveCertificate([0x30], .currentDeviceEncryption),
            .saveLoginConfiguration(JSONObject([.init(name: "a", value: 1)])),
            .saveUserLoginConfiguration(JSONObject()), .saveLoginUserName(nil),
            .saveLoginUserName("anna"), .saveTokens(nil), .saveTokens(JSONObject()),
            .userNeedsReauthentication, .deviceRegistrationNeedsRepair,
            .userRegistrationNeedsRepair, .decryptionKeysNeedRepair, .present,
            .ask(.notice("n")), .ask(.line("l")), .ask(.secret("s")),
            .ask(.choice("c", ["a", "b"])), .ask(.page(url: "https://a.example/", code: "1")),
        ] as [ExtensionCall]).enumerated().map {
            .call(number: UInt64($0.offset), request: 1, $0.element)
        }
        + (key.map {
            [.call(number: 99, request: 1, .agree(.init(.currentDeviceEncryption), with: $0))]
        } ?? [])

    // MARK: Written and read

    /// A request whose caller the agent knows.
    private static var named: ExtensionAuthorizationRequest {
        var request = ExtensionAuthorizationRequest(url: "https://a.example/")
        request.callerProcess = ExtensionCaller(
            userID: 0, groupID: UInt32.max, processID: 7, generation: 1)
        return request
    }

    @Test("What the agent says is read as it was said", arguments: hostMessages)
    func host(message: HostMessage) throws {
        let frame = try ExtensionFrame.bytes(of: message)
        var reader = ExtensionFrameReader()
        let contents = try reader.read(frame)
        #expect(contents.count == 1)
        let again = try ExtensionFrame.message(HostMessage.self, in: contents.first ?? [])
        #expect(again == message)
    }

    @Test("What an extension says is read as it was said", arguments: extensionMessages)
    func other(message: ExtensionMessage) throws {
        let frame = try ExtensionFrame.bytes(of: message)
        #expect(
            try ExtensionFrame.message(ExtensionMessage.self, in: Array(frame.dropFirst(4)))
                == message)
    }

    @Test("Every kind of request, answer and call is among the messages that are tested")
    func complete() {
        let requests = Self.hostMessages.compactMap {
            if case .request(_, let request) = $0 { request.kind } else { nil }
        }
        #expect(Set(requests) == Set(ExtensionHostRequest.Kind.allCases))
        let calls = Self.extensionMessages.compactMap {
            if case .call(_, _, let call) = $0 { call.kind } else { nil }
        }
        #expect(Set(calls) == Set(ExtensionCall.Kind.allCases))
    }

    @Test("The registration of a device carries nothing of a person")
    func ofTheDevice() throws {
        let message = HostMessage.request(1, .registerDevice(Self.state, []))
        let text = String(decoding: try ExtensionFrame.bytes(of: message), as: UTF8.self)
        #expect(!text.contains("anna") && !text.contains("refresh_token"))
    }

    // MARK: Frames

    @Test("Frames are found however the bytes arrive")
    func pieces() throws {
        let frames = try Self.extensionMessages.prefix(5).map { try ExtensionFrame.bytes(of: $0) }
        for size in [1, 3, 7, 64, 100_000] {
            var reader = ExtensionFrameReader()
            var contents: [[UInt8]] = []
            var rest = frames.flatMap(\.self)[...]
            while !rest.isEmpty {
                contents += try reader.read(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(contents == frames.map { Array($0.dropFirst(4)) })
        }
    }

    @Test(
        "A length of nothing or of too much is refused before the rest is awaited",
        arguments: [
            [0, 0, 0, 0], [0, 0x10, 0, 1], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF],
        ]
            as [[UInt8]])
    func lengths(bytes: [UInt8]) {
        var reader = ExtensionFrameReader()
        #expect(throws: ExtensionMessageError.self) { try reader.read(bytes) }
    }

    @Test("A message that is too long is not sent")
    func tooLong() {
        let long = String(repeating: "x", count: ExtensionFrame.maximumBytes)
        #expect(throws: ExtensionMessageError.self) {
            try ExtensionFrame.bytes(of: HostMessage.hello(version: 1, identifier: long))
        }
    }

    // MARK: Refused

    private func code(_ text: String) -> ExtensionMessageError.Code? {
        do throws(ExtensionMessageError) {
            _ = try ExtensionFrame.message(ExtensionMessage.self, in: Array(text.utf8))
            return nil
        } catch { return error.code }
    }

    @Test(
        "What no extension says is refused with what is wrong",
        arguments: [
            ("", .notJSON), ("[]", .notJSON), ("{]}", .notJSON), ("{}", .memberMissing),
            (#"{"message":7}"#, .memberMalformed), (#"{"message":"hello"}"#, .unknownKind),
            (#"{"message":"answer","number":1}"#, .memberMissing),
            (#"{"message":"answer","number":-1,"content":{"answer":"done"}}"#, .memberMalformed),
            (#"{"message":"answer","number":1.5,"content":{"answer":"done"}}"#, .memberMalformed),
            (#"{"message":"answer","number":1,"content":{"answer":"no"}}"#, .unknownKind),
            (#"{"message":"answer","number":1,"content":{"answer":"done"},"x":1}"#, .memberUnknown),
            (#"{"message":"answer","number":1,"content":{"answer":"done","x":1}}"#, .memberUnknown),
            (
                #"{"message":"answer","number":1,"content":{"answer":"registration","result":4}}"#,
                .memberMalformed
            ),
            (#"{"message":"call","call":1,"number":1,"content":{"call":"fly"}}"#, .memberMalformed),
            (
                #"{"message":"call","call":1,"number":1,"content":{"call":"key","key_type":6,"#
                    + #""pending":false}}"#, .memberMalformed
            ),
            (
                #"{"message":"call","call":1,"number":1,"content":{"call":"reset_keys","#
                    + #""key_type":1}}"#, .memberUnknown
            ),
            (
                #"{"message":"call","call":1,"number":1,"content":{"call":"ask","question":"#
                    + #"{"question":"choice","text":"?","choices":[]}}}"#, .memberMalformed
            ),
        ] as [(String, ExtensionMessageError.Code)])
    func refusals(text: String, expected: ExtensionMessageError.Code) {
        #expect(code(text) == expected)
    }

    @Test("Damage never traps, and never makes two messages of one")
    func mutations() throws {
        var random = SeededRandom(seed: 7)
        for message in Self.extensionMessages {
            let frame = try ExtensionFrame.bytes(of: message)
            for _ in 0..<50 {
                var bytes = frame
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] ^= UInt8.random(in: 1...255, using: &random)
                var reader = ExtensionFrameReader()
                guard let contents = try? reader.read(bytes) else { continue }
                #expect(contents.count <= 1)
                for content in contents {
                    _ = try? ExtensionFrame.message(ExtensionMessage.self, in: content)
                    _ = try? ExtensionFrame.message(HostMessage.self, in: content)
                }
            }
        }
    }

    // MARK: Rules

    private func code(
        _ call: ExtensionCall, in request: ExtensionHostRequest, isPresented: Bool = false
    ) -> ExtensionCallRefusal.Code? {
        call.refusal(in: request, isPresented: isPresented)?.code
    }

    @Test("In the registration of a device nothing of a person can be set")
    func nobodys() {
        let device = ExtensionHostRequest.registerDevice(Self.state, [])
        let user = ExtensionHostRequest.registerUser(Self.state, userName: nil, .password, [])
        for call in [
            .saveUserLoginConfiguration(JSONObject()), .saveLoginUserName("a"), .saveTokens(nil),
            .userNeedsReauthentication, .userRegistrationNeedsRepair, .resetUserSecureEnclaveKey,
        ] as [ExtensionCall] {
            #expect(code(call, in: device) == .notPermitted)
            #expect(code(call, in: user) == nil)
        }
    }

    @Test("Notifications have no login manager; questions about groups and pictures change nothing")
    func readers() {
        #expect(code(.resetKeys, in: .registrationDidComplete) == .notPermitted)
        #expect(code(.key(.init(.currentDeviceSigning)), in: .registrationDidCancel) != nil)
        for request in [
            ExtensionHostRequest.displayNames(Self.state, groups: []), .profilePicture(Self.state),
        ] {
            #expect(code(.saveTokens(nil), in: request) == .notPermitted)
            #expect(code(.key(.init(.currentDeviceSigning)), in: request) == nil)
        }
    }

    @Test("Something is shown where it may be, and asked once it is")
    func presentation() {
        let silent = ExtensionHostRequest.registerDevice(Self.state, [])
        let open = ExtensionHostRequest.registerDevice(Self.state, .userInteractionEnabled)
        #expect(code(.present, in: silent) == .notInteractive)
        #expect(code(.present, in: open) == nil)
        #expect(code(.ask(.notice("x")), in: open) == .notInteractive)
        #expect(code(.ask(.notice("x")), in: open, isPresented: true) == nil)
        var app = ExtensionAuthorizationRequest(url: "https://a.example/")
        app.isUserInterfaceEnabled = false
        #expect(code(.present, in: .authorize(app, Self.state)) == .notInteractive)
    }
}
