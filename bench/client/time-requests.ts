import type { TimedPages, TimeRequests } from './jobs.ts'
import { createAgent, sendByHttp } from './send-by-http.ts'

/** Makes the first request of each list, then the second of each, and so on: one may build upon what those before did. */
export async function timeRequests({ requests }: TimeRequests): Promise<TimedPages> {
  const agent = createAgent(1)
  const milliseconds: number[][] = requests.map(() => [])
  const max = Math.max(...requests.map((list) => list.length))
  for (let time = 0; time < max; time += 1) {
    for (const [index, list] of requests.entries()) {
      const request = list[time]
      if (!request) continue
      const { body: text, ...head } = request
      const outgoing = { ...head, ...(text !== undefined && { body: Buffer.from(text) }) }
      const startedAt = performance.now()
      const { status, readText } = await sendByHttp(agent, outgoing)
      milliseconds[index]?.push(performance.now() - startedAt)
      if (status >= 300) throw new Error(`${head.method} ${head.url} answered ${status}: ${readText()}`)
    }
  }
  agent.destroy()
  return { milliseconds }
}
