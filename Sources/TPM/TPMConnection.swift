// SPDX-License-Identifier: Apache-2.0
import Platform

/// A TPM behind a character device (`/dev/tpmrm0`) or a Unix socket (swtpm). Its calls block.
///
/// It is opened for one operation and closed again: a software TPM serves one program at a time,
/// and has room for three objects.
final class TPMConnection {
    private let file: Descriptor

    init(path: String) throws(TPMFailure) {
        do throws(PlatformError) { file = try Self.open(path) } catch {
            throw TPMFailure(error)
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
    private static let again = TPMFailure.refused(code: 0x922)

    func send(_ command: [UInt8]) throws(TPMFailure) -> TPMResponse {
        for _ in 0..<4 {
            do throws(TPMFailure) { return try sendOnce(command) } catch {
                guard error == Self.again else { throw error }
            }
        }
        throw Self.again
    }

    private func sendOnce(_ command: [UInt8]) throws(TPMFailure) -> TPMResponse {
        do throws(PlatformError) { try file.write(all: command) } catch {
            throw TPMFailure(error)
        }
        var answer: [UInt8] = []
        while TPMResponse.announcedLength(answer).map({ answer.count < $0 }) ?? true {
            guard answer.count < TPMResponse.limit else { throw .nonsense }
            answer += try part()
        }
        return try TPMResponse(answer)
    }

    // MARK: Objects

    /// Does something with the storage key that everything else is kept under.
    func withParent<Value>(
        _ body: (TPMCommand.Handle) throws(TPMFailure) -> Value
    ) throws(TPMFailure) -> Value {
        var response = try send(TPMCommand.createPrimary)
        return try with(try response.handle(), body)
    }

    /// Does something with an object that was created before, by this TPM.
    ///
    /// - Throws: ``TPMFailure/foreign`` when another one created it
    ///   (`TPM_RC_INTEGRITY`).
    func withObject<Value>(
        _ object: TPMObject,
        _ body: (TPMCommand.Handle) throws(TPMFailure) -> Value
    ) throws(TPMFailure) -> Value {
        let handle = try withParent { (parent) throws(TPMFailure) in
            let command = TPMCommand.load(object.privatePart, object.publicPart, under: parent)
            do throws(TPMFailure) {
                var response = try send(command)
                return try response.handle()
            } catch {
                // Format one: something is wrong with what was sent. Others say to come again.
                if case .refused(let code) = error, code & 0x80 != 0 { throw .foreign }
                throw error
            }
        }
        return try with(handle, body)
    }

    /// Takes an object out of the TPM again, whatever happens with it.
    func with<Value>(
        _ handle: TPMCommand.Handle,
        _ body: (TPMCommand.Handle) throws(TPMFailure) -> Value
    ) throws(TPMFailure) -> Value {
        let value: Value
        do throws(TPMFailure) { value = try body(handle) } catch {
            _ = try? send(TPMCommand.flush(handle))
            throw error
        }
        _ = try send(TPMCommand.flush(handle))
        return value
    }

    // MARK: Bytes

    /// The longest time that a TPM may take to compute a key, in milliseconds.
    private static let answerLimit: Int64 = 30_000

    private func part() throws(TPMFailure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(PlatformError) {
            guard try !file.wait(for: .readable, milliseconds: Self.answerLimit).isEmpty else {
                throw PlatformError("poll", code: .timedOut)
            }
            bytes = try file.read(atMost: TPMResponse.limit)
        } catch { throw TPMFailure(error) }
        guard !bytes.isEmpty else { throw .nonsense }
        return bytes
    }
}

extension TPMFailure {
    fileprivate init(_ error: PlatformError) {
        self = .system(call: error.call, code: error.code.rawValue)
    }
}
