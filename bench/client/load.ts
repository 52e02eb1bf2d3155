import type { Load, Loaded } from './jobs.ts'
import { createTlsAgent, sendByHttp } from './send-by-http.ts'

/** Lets every client ask for one page after the other until the time is over. */
export async function load({ pages, clients, seconds, certificate, host }: Load): Promise<Loaded> {
  const agent = createTlsAgent(clients, certificate, host)
  let answered = 0
  const startedAt = performance.now()
  const client = async (_unused: unknown, number: number) => {
    for (let turn = number; performance.now() - startedAt < seconds * 1000; turn += 1) {
      const { url, headers } = pages[turn % pages.length] as Load['pages'][number]
      const { status } = await sendByHttp(agent, { method: 'GET', url, headers: { ...headers, host } })
      if (status !== 200) throw new Error(`${url} answered ${status}`)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: clients }).map(client))
  const taken = (performance.now() - startedAt) / 1000
  agent.destroy()
  return { answered, seconds: taken }
}
