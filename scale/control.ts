import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Engines } from './engines/engines.ts'

/** What tests may do to the engines, by name. */
export type Outage =
  | 'crash postgres'
  | 'start postgres'
  | 'stop gateway'
  | 'start gateway'
  | 'freeze gateway'
  | 'thaw gateway'
  | 'stop redis'
  | 'start redis'

/** The engines belong to this process, and the tests run in others: they say over HTTP what is to become of the engines. */
export async function listenForOutages({ postgres, ceph, redis }: Engines): Promise<{ url: string; close(): void }> {
  const outages: Record<Outage, () => Promise<void> | void> = {
    'crash postgres': () => postgres.crash(),
    'start postgres': () => postgres.start(),
    'stop gateway': () => ceph.stopGateway(),
    'start gateway': () => ceph.startGateway(),
    'freeze gateway': () => ceph.freezeGateway(),
    'thaw gateway': () => ceph.thawGateway(),
    'stop redis': () => redis.stop(),
    'start redis': () => redis.start(),
  }
  const server = createServer(async (request, response) => {
    try {
      const name = decodeURIComponent(request.url?.slice(1) ?? '') as Outage
      await outages[name]()
      response.end()
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
