// SPDX-License-Identifier: Apache-2.0
// The program of the agent.

AgentProgram.launch()
