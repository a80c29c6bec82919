// SPDX-License-Identifier: Apache-2.0
// What the agent becomes while it rests (`AgentWaiter`). It links nothing but the language.
import AgentWaiting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

exit(AgentWaiter.run(CommandLine.arguments))
