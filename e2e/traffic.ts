import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The recorded bytes that a browser sends. */
export interface Traffic {
  /** The address of the recording proxy. */
  readonly url: string
  /** Returns all bytes sent so far, over all connections. */
  sent(): Buffer
  stop(): Promise<void>
}

/** Starts a proxy in front of the product that records all bytes a browser sends. */
export async function recordTraffic(productUrl: string): Promise<Traffic> {
  const chunks: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer((browser) => {
    const product = connect(Number(new URL(productUrl).port), '127.0.0.1')
    for (const socket of [browser, product]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        browser.destroy()
        product.destroy()
        sockets.delete(socket)
      })
    }
    browser.on('data', (bytes: Buffer) => chunks.push(bytes))
    browser.pipe(product).pipe(browser)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    sent: () => Buffer.concat(chunks),
    stop: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
