// SPDX-License-Identifier: Apache-2.0
import Platform

/// A connection to a TPM behind a character device (`/dev/tpmrm0`) or a Unix socket (swtpm). Its
/// calls block.
///
/// It is opened for one operation and closed again: a software TPM serves one program at a time,
/// and has at most three loaded objects.
final class TPMConnection {
    private let file: Descriptor

    init(path: String) throws(TPMError) {
        do throws(PlatformError) { file = try Self.open(path) } catch {
            throw TPMError(error)
        }
    }

    /// How long a full queue at the socket of a software TPM may take, in seconds. It serves one
    /// program at a time.
    private static let connectionLimit = 30

    /// - Throws: `ENOTTY` for an ordinary file, which a command would overwrite.
    private static func open(_ path: String) throws(PlatformError) -> Descriptor {
        let file: Descriptor
        do throws(PlatformError) { file = try Descriptor.open(path, [.read, .write]) } catch {
            // A socket cannot be opened.
            guard error.code == .noDeviceOrAddress else { throw error }
            return try UnixSocket.connect(path, limit: connectionLimit)
        }
        guard (try? FileStatus(file))?.kind == .characterDevice else {
            file.close()
            throw PlatformError("open", path, code: .notATerminal)
        }
        return file
    }

    deinit { file.close() }

    /// `TPM_RC_RETRY`: the TPM had something to write first, as before the first password since its
    /// start. The kernel's driver asks again by itself, a software TPM does not.
    private static let again = TPMError.refused(code: 0x922)

    func send(_ command: [UInt8]) throws(TPMError) -> TPMResponse {
        for _ in 0..<4 {
            do throws(TPMError) { return try sendOnce(command) } catch {
                guard error == Self.again else { throw error }
            }
        }
        throw Self.again
    }

    private func sendOnce(_ command: [UInt8]) throws(TPMError) -> TPMResponse {
        do throws(PlatformError) { try file.write(all: command) } catch {
            throw TPMError(error)
        }
        var answer: [UInt8] = []
        while TPMResponse.announcedLength(answer).map({ answer.count < $0 }) ?? true {
            guard answer.count < TPMResponse.limit else { throw .nonsense }
            answer += try part()
        }
        return try TPMResponse(answer)
    }

    // MARK: Objects

    /// Calls `body` with the storage key, the parent of all other keys.
    func withParent<Value>(
        _ body: (TPMCommand.Handle) throws(TPMError) -> Value
    ) throws(TPMError) -> Value {
        var response = try send(TPMCommand.createPrimary)
        return try with(try response.handle(), body)
    }

    /// Does something with an object that was created before, by this TPM.
    ///
    /// - Throws: ``TPMError/foreign`` when another one created it
    ///   (`TPM_RC_INTEGRITY`).
    func withObject<Value>(
        _ object: TPMObject,
        _ body: (TPMCommand.Handle) throws(TPMError) -> Value
    ) throws(TPMError) -> Value {
        let handle = try withParent { (parent) throws(TPMError) in
            let command = TPMCommand.load(object.privatePart, object.publicPart, under: parent)
            do throws(TPMError) {
                var response = try send(command)
                return try response.handle()
            } catch {
                // Format one: the input is invalid. Other codes request a repetition.
                if case .refused(let code) = error, code & 0x80 != 0 { throw .foreign }
                throw error
            }
        }
        return try with(handle, body)
    }

    /// Calls `body` with an object, and then unloads it from the TPM.
    func with<Value>(
        _ handle: TPMCommand.Handle,
        _ body: (TPMCommand.Handle) throws(TPMError) -> Value
    ) throws(TPMError) -> Value {
        let value: Value
        do throws(TPMError) { value = try body(handle) } catch {
            _ = try? send(TPMCommand.flush(handle))
            throw error
        }
        _ = try send(TPMCommand.flush(handle))
        return value
    }

    // MARK: Bytes

    /// The longest time that a TPM may take to compute a key, in milliseconds.
    private static let answerLimit: Int64 = 30_000

    private func part() throws(TPMError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(PlatformError) {
            guard try !file.wait(for: .readable, milliseconds: Self.answerLimit).isEmpty else {
                throw PlatformError("poll", code: .timedOut)
            }
            bytes = try file.read(atMost: TPMResponse.limit)
        } catch { throw TPMError(error) }
        guard !bytes.isEmpty else { throw .nonsense }
        return bytes
    }
}

extension TPMError {
    fileprivate init(_ error: PlatformError) {
        self = .system(call: error.call, code: error.code.rawValue)
    }
}
