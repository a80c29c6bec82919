// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
    import CSandbox
    import Foundation
    import SSOExtensions
    import SingleSignOn
    import Testing

    /// What an extension's process is kept from: as it finds it itself, and as the filter has it.
    @Suite struct ExtensionSandboxTests {
        /// What the process says of itself, from inside.
        private func confession() async throws -> [String: String] {
            let calls = PlayedCalls()
            let host = ExtensionHost(FaultySource(), timer: ManualTimer())
            let answer = await host.perform(.user("confess"), calls: calls)
            await host.unload()
            #expect(answer == .success(.registration(.success)))
            guard case .saveLoginUserName(let text?)? = calls.calls.first else { return [:] }
            return Dictionary(
                text.split(separator: "\n").map { line in
                    let name = line.prefix { $0 != " " }
                    return (String(name), String(line.dropFirst(name.count + 1)))
                }, uniquingKeysWith: { first, _ in first })
        }

        @Test("It has no capability under any user, and can get none")
        func privileges() async throws {
            let found = try await confession()
            for name in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
                #expect(found[name] == "0000000000000000", "\(name)")
            }
            if geteuid() == 0 { #expect(found["CapBnd"] == "0000000000000000") }
            #expect(found["NoNewPrivs"] == "1")
            #expect(found["Seccomp"] == "2")
        }

        @Test("Calls that are otherwise allowed for all users are refused")
        func calls() async throws {
            let found = try await confession()
            #expect(found["unshare"] == "\(EPERM)")
            #expect(found["personality"] == "\(EPERM)")
        }

        @Test("Memory images, files and memory are limited")
        func limits() async throws {
            let found = try await confession()
            #expect(found["core"] == "0")
            #expect(found["files"].flatMap { Int($0) }.map { $0 <= 256 } == true)
            #expect(found["data"].flatMap { Int($0) }.map { $0 <= 1 << 30 } == true)
        }

        @Test("It inherits its socket, three streams and a few variables")
        func inheritance() async throws {
            let open = open("/dev/null", O_RDONLY)
            defer { close(open) }
            setenv("GATEHOUSE_TEST_SECRET", "secret", 1)
            defer { unsetenv("GATEHOUSE_TEST_SECRET") }
            let found = try await confession()
            // 4 is the executable itself.
            #expect(found["descriptors"] == "0,1,2,3,4")
            let names = Set((found["environment"] ?? "").split(separator: ",").map(String.init))
            #expect(names.contains("GATEHOUSE_EXTENSION_SOCKET"))
            #expect(!names.contains("GATEHOUSE_TEST_SECRET") && !names.contains("USER"))
        }

        @Test("The agent itself loses nothing by starting one")
        func agentKeepsItsOwn() async throws {
            func confined() throws -> [Substring] {
                try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                    .split(separator: "\n").filter {
                        $0.hasPrefix("Cap") || $0.hasPrefix("NoNewPrivs") || $0.hasPrefix("Seccomp")
                    }
            }
            let before = try confined()
            _ = try await confession()
            #expect(try confined() == before)
        }

        // MARK: The filter

        private static let allow: UInt32 = 0x7FFF_0000
        private static let denied = 0x0005_0000 | UInt32(EPERM)
        private static let missing = 0x0005_0000 | UInt32(ENOSYS)
        private static let unmoved: UInt32 = 0x0005_0000
        private static let group: pid_t = 4711
        #if arch(x86_64)
            private static let machine: UInt32 = 0xC000_003E
        #else
            private static let machine: UInt32 = 0xC000_00B7
        #endif

        /// What the filter answers, as the kernel works it out (seccomp(2)).
        private func verdict(
            _ number: UInt32, _ first: UInt32 = 0, _ second: UInt32 = 0,
            machine: UInt32 = machine
        ) -> UInt32? {
            let program = SystemCallFilter.program(group: Self.group)
            var (index, value) = (0, UInt32(0))
            while program.indices.contains(index) {
                let step = program[index]
                var holds = false
                switch step.code {
                case 0x20:
                    value = [0: number, 4: machine, 16: first, 24: second][step.k] ?? 0
                    index += 1
                    continue
                case 0x06: return step.k
                case 0x15: holds = value == step.k
                case 0x35: holds = value >= step.k
                case 0x45: holds = value & step.k != 0
                default: return nil
                }
                index += 1 + Int(holds ? step.jt : step.jf)
            }
            return nil
        }

        private func verdict(
            _ number: Int32, _ first: UInt32 = 0, _ second: UInt32 = 0
        ) -> UInt32? { verdict(UInt32(bitPattern: number), first, second) }

        @Test("Every call of the list is refused, and what programs need is not")
        func list() {
            for number in SystemCallFilter.refused { #expect(verdict(number) == Self.denied) }
            let needed = [
                __NR_read, __NR_write, __NR_openat, __NR_socket, __NR_connect, __NR_mmap,
                __NR_futex, __NR_execve, __NR_exit_group, __NR_getrandom, __NR_epoll_pwait,
                __NR_kill,
            ]
            for number in needed { #expect(verdict(number) == Self.allow, "\(number)") }
        }

        @Test("Threads and children may be made, name spaces may not")
        func clone() {
            // CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD …
            #expect(verdict(__NR_clone, 0x003D_0F00) == Self.allow)
            for flag: UInt32 in [17, 25, 26, 27, 28, 29, 30].map({ 1 << $0 }) {
                #expect(verdict(__NR_clone, 0x11 | flag) == Self.denied, "\(flag)")
            }
            #expect(verdict(__NR_clone3) == Self.missing)
        }

        @Test("There is one process group to be in; any other is said to be entered, and is not")
        func groups() {
            #expect(verdict(__NR_setpgid, 0, 4711) == Self.allow)
            for other: UInt32 in [0, 1, 4712, 0x8000_0000 | 4711] {
                #expect(verdict(__NR_setpgid, 0, other) == Self.unmoved, "\(other)")
                #expect(verdict(__NR_setpgid, 17, other) == Self.unmoved, "\(other)")
            }
            #expect(verdict(__NR_setsid) == Self.denied)
        }

        @Test("Terminals are written to, and not typed into")
        func terminals() {
            #expect(verdict(__NR_ioctl, 1, 0x5401) == Self.allow)
            for request: UInt32 in [0x5412, 0x541C] {
                #expect(verdict(__NR_ioctl, 1, request) == Self.denied)
            }
            // The same numbers in other places are nothing of the kind.
            #expect(verdict(__NR_write, 0x5412, 0x5412) == Self.allow)
            #expect(verdict(__NR_clone, 0x11, 0x5412) == Self.allow)
            #expect(verdict(__NR_setpgid, 0x5412, 0x5412) == Self.unmoved)
        }

        @Test("Other interfaces of the kernel are no way round")
        func interfaces() {
            #expect(verdict(UInt32(bitPattern: __NR_read), machine: 0x4000_0003) == Self.missing)
            let second = UInt32(bitPattern: __NR_ptrace) | 0x4000_0000
            #expect(verdict(second) == Self.denied)
        }
    }
#endif
