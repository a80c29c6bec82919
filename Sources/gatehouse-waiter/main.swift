// The program of an idle agent (`AgentWaiter`). It links the language and two small modules only.
import AgentWaiting
import Platform
