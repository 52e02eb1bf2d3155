import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Starts a proxy that calls Nextcloud's desktop client by a version to which the server offers bulk uploads. Debian's is older,
 * but can send them.
 */
export async function serveNewerClient(serverUrl: string): Promise<{ url: string; close: () => Promise<void> }> {
  const proxy = createServer((received, reply) => {
    const headers: IncomingHttpHeaders = {
      ...received.headers,
      'user-agent': received.headers['user-agent']?.replace(/mirall\/[\d.]+/, 'mirall/3.17.0'),
    }
    const sent = request(new URL(received.url ?? '/', serverUrl), { method: received.method, headers }, (response) => {
      reply.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(reply)
    })
    sent.on('error', () => reply.destroy())
    received.pipe(sent)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
