import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that answers ranges of one blob, and breaks, refuses or fails on demand. */
export async function startBlobServer(bytes: Uint8Array) {
  const state = {
    bytes,
    etag: '"one"',
    /** How many bytes a response has before its connection breaks. */
    breakAfter: Number.POSITIVE_INFINITY,
    /** Statuses to answer with first. */
    statuses: [] as number[],
    /** The ranges that were asked for. */
    ranges: [] as (string | undefined)[],
  }
  const server = createServer((request, response) => {
    state.ranges.push(request.headers.range)
    const status = state.statuses.shift()
    if (status) return response.writeHead(status).end('{}')
    const total = state.bytes.length
    const [, first = '0', last = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? []
    const start = Number(first)
    const end = last ? Math.min(Number(last) + 1, total) : total
    if (start >= end && request.headers.range) {
      return response.writeHead(416, { 'content-range': `bytes */${total}` }).end()
    }
    const headers = {
      etag: state.etag,
      'content-length': end - start,
      'content-range': `bytes ${start}-${end - 1}/${total}`,
    }
    response.writeHead(request.headers.range ? 206 : 200, headers)
    const sent = state.bytes.subarray(start, Math.min(end, start + state.breakAfter))
    response.write(sent, () => {
      if (sent.length < end - start) request.socket.destroy()
      else response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    state,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/blob`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
