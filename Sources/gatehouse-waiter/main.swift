// SPDX-License-Identifier: Apache-2.0
// The program of an idle agent (`AgentWaiter`). It links the language and two small modules only.
import AgentWaiting
import Platform

CurrentProcess.exit(AgentWaiter.run(CommandLine.arguments))
