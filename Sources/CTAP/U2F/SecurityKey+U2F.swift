// SPDX-License-Identifier: Apache-2.0

extension SecurityKey {
    /// The interval and the number of the repeated requests for a touch.
    private static let pollInterval: Duration = .milliseconds(200)
    private static let pollLimit = 1500

    func sendU2F(_ request: U2FRequest) async throws(SecurityKeyError) -> ResponseAPDU {
        guard let apdu = request.apdu.extended else { throw .requestTooLarge }
        let reply: [UInt8]
        do {
            reply = try await transport.exchange(.u2f(apdu), limit: Self.commandLimit) { _ in }
        } catch { throw SecurityKeyError(error) }
        guard let response = ResponseAPDU(reply) else {
            throw .untrustworthyReply("a U2F reply without a status word")
        }
        return response
    }

    /// Repeats a request until the key is touched, the only method of U2F (U2F HID protocol section
    /// 2.3).
    func pollU2F(
        _ request: U2FRequest, delay: any Delay
    ) async throws(SecurityKeyError) -> [UInt8] {
        for _ in 0..<Self.pollLimit {
            if Task.isCancelled { throw .cancelled }
            let response = try await sendU2F(request)
            switch response.status {
            case .ok: return response.data
            case .conditionsNotSatisfied: await delay.wait(Self.pollInterval)
            case .wrongData: throw .noCredential
            case .instructionNotSupported, .classNotSupported: throw .unsupported("this command")
            default: throw .untrustworthyReply("status word \(response.status)")
            }
        }
        throw .touchTimedOut
    }

    /// Waits for a touch that authorizes nothing: the key registers with a random application, and
    /// the result is discarded.
    func touchU2F(delay: any Delay) async throws(SecurityKeyError) {
        let nobody = CeremonyScope.hash(".dummy")
        _ = try await pollU2F(
            .register(challenge: [UInt8](repeating: 0, count: 32), application: nobody),
            delay: delay)
    }
}
