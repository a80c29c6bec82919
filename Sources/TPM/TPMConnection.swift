// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A TPM behind a character device (`/dev/tpmrm0`) or a Unix socket (swtpm). Its calls block.
///
/// It is opened for one operation and closed again: a software TPM listens to one program at a
/// time, and has room for three objects.
final class TPMConnection {
    private let file: Int32

    init(path: String) throws(TPMError) {
        let opened = open(path, O_RDWR | O_CLOEXEC)
        if opened >= 0 {
            // A command would be written over what is in an ordinary file.
            guard Self.isDevice(opened) else {
                close(opened)
                throw .system(call: "open", code: ENOTTY)
            }
            file = opened
            return
        }
        // Opening a socket says ENXIO.
        guard errno == ENXIO else { throw .system(call: "open", code: errno) }
        file = try TPMSocket.connect(path)
    }

    deinit { close(file) }

    private static func isDevice(_ file: Int32) -> Bool {
        var status = stat()
        return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    }

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
        guard write(file, command, command.count) == command.count else {
            throw .system(call: "write", code: errno)
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

    /// A TPM that computes a key may take long, but not half a minute.
    private static let patience: Int32 = 30_000

    private func part() throws(TPMError) -> [UInt8] {
        try awaitAnswer()
        var buffer = [UInt8](repeating: 0, count: TPMResponse.limit)
        var count = read(file, &buffer, buffer.count)
        while count < 0, errno == EINTR { count = read(file, &buffer, buffer.count) }
        guard count >= 0 else { throw .system(call: "read", code: errno) }
        guard count > 0 else { throw .nonsense }
        return Array(buffer.prefix(count))
    }

    private func awaitAnswer() throws(TPMError) {
        var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        var ready = poll(&descriptor, 1, Self.patience)
        while ready < 0, errno == EINTR { ready = poll(&descriptor, 1, Self.patience) }
        guard ready >= 0 else { throw .system(call: "poll", code: errno) }
        guard ready > 0 else { throw .system(call: "poll", code: ETIMEDOUT) }
    }
}
