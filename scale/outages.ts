import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Engines } from './engines/engines.ts'

/** Runs `work` during an outage, and ends the outage even if it fails. */
export async function during<T>(begin: Outage, end: Outage, work: () => Promise<T>): Promise<T> {
  await request(begin)
  try {
    return await work()
  } finally {
    await request(end)
  }
}

async function request(outage: Outage): Promise<void> {
  const control = process.env.ALCOVE_SCALE_CONTROL
  if (!control) throw new Error('These tests need their own engines: run npm run test:scale.')
  const response = await fetch(`${control}/${encodeURIComponent(outage)}`, { method: 'POST' })
  if (!response.ok) throw new Error(`${outage}: ${await response.text()}`)
}

/** What tests can do to the engines. */
type Outage =
  | 'crash postgres'
  | 'start postgres'
  | 'stop gateway'
  | 'start gateway'
  | 'freeze gateway'
  | 'thaw gateway'
  | 'stop redis'
  | 'start redis'

/** Starts an HTTP server through which the tests, which run in other processes, control the engines of this one. */
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
