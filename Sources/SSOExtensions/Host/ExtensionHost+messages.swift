// SPDX-License-Identifier: Apache-2.0
import SingleSignOn

/// An event from the channel's thread.
enum Received: Sendable {
    case message(ExtensionMessage)
    case fault(String)
    /// The last event: the exit code, or 128 plus the signal.
    case ended(Int32)
}

extension ExtensionHost {
    func received(_ received: Received, from generation: UInt64) {
        guard generation == self.generation, let life else { return }
        if case .ended(let status) = received { return ended(with: status) }
        guard life.ending == nil else { return }
        switch received {
        case .ended: break
        case .fault(let reason): violate(reason)
        case .message(.ready(let version, let description)): ready(version, description)
        case .message where life.description == nil: violate("it spoke before it was ready")
        case .message(.answer(let number, let answer)): answered(number, answer)
        case .message(.call(let number, let request, let call)): called(number, request, call)
        }
    }

    private func ready(_ version: Int, _ description: ExtensionDescription) {
        guard life?.description == nil else { return violate("it was ready twice") }
        guard version == HostMessage.version else {
            return end(.init(.notReady, "it speaks version \(version)"))
        }
        life?.description = description
        report(.ready(description))
        let waiting = life?.waiting ?? []
        life?.waiting = []
        for waiter in waiting { waiter.resume(returning: .success(description)) }
    }

    private func answered(_ number: UInt64, _ answer: ExtensionResponse) {
        guard let request = open[number] else {
            // The request was answered before or was cancelled.
            guard isIssued(number) else { return violate("a response to an unknown request") }
            return report(.lateAnswer(number))
        }
        guard answer.answers(request.request.kind) else {
            return violate("a response to another request than \(request.request.kind.rawValue)")
        }
        open[number] = nil
        request.close(.success(answer))
    }

    private func called(_ number: UInt64, _ request: UInt64, _ call: ExtensionCall) {
        guard let opened = open[request] else {
            guard isIssued(request) else { return violate("a call in an unknown request") }
            return refuse(number, call, .init(.notOpen, "the request has ended"))
        }
        guard opened.calling[number] == nil else { return violate("two calls of one number") }
        guard opened.calling.count < limits.callsAtOnce else {
            return refuse(number, call, .init(.failed, "too many calls at once"))
        }
        if let refusal = call.refusal(in: opened.request, isPresented: opened.isPresented) {
            return refuse(number, call, refusal)
        }
        let calls = opened.calls
        open[request]?.calling[number] = Task {
            let result: Result<ExtensionCallResponse, ExtensionCallRefusal>
            do throws(ExtensionCallRefusal) {
                result = .success(try await calls.answer(call))
            } catch {
                result = .failure(error)
            }
            self.done(number, in: request, call, result)
        }
    }

    private func done(
        _ number: UInt64, in request: UInt64, _ call: ExtensionCall,
        _ result: Result<ExtensionCallResponse, ExtensionCallRefusal>
    ) {
        guard open[request]?.calling.removeValue(forKey: number) != nil else { return }
        if case .success(let answer) = result {
            guard answer.answers(call) else {
                return refuse(
                    number, call, .init(.failed, "the agent's response has the wrong kind"))
            }
            if call.kind == .present { open[request]?.isPresented = true }
        }
        send(.answer(call: number, result))
    }

    private func refuse(_ number: UInt64, _ call: ExtensionCall, _ refusal: ExtensionCallRefusal) {
        report(.refusedCall(call.kind, refusal.code))
        send(.answer(call: number, .failure(refusal)))
    }

    private func send(_ message: HostMessage) {
        guard let life, life.ending == nil, !life.channel.send(message) else { return }
        violate("it does not read")
    }

    private func violate(_ reason: String) {
        report(.violation(reason))
        end(.init(.violation, reason))
    }
}
