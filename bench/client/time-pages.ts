import type { TimedPages, TimePages } from './jobs.ts'
import { createAgent, sendByHttp } from './send-by-http.ts'

/** Gets the pages in turn, so that whatever else the machine does meets all of them alike. */
export async function timePages({ pages, times }: TimePages): Promise<TimedPages> {
  const agent = createAgent(pages.length)
  const milliseconds: number[][] = pages.map(() => [])
  for (let time = 0; time < times; time += 1) {
    for (const [index, { url, headers }] of pages.entries()) {
      const startedAt = performance.now()
      const { status } = await sendByHttp(agent, { method: 'GET', url, headers })
      if (status !== 200) throw new Error(`${url} answered ${status}`)
      milliseconds[index]?.push(performance.now() - startedAt)
    }
  }
  agent.destroy()
  return { milliseconds }
}
