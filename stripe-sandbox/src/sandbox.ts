import type { AddressInfo } from 'node:net'
import type { FastifyPluginAsync } from 'fastify'
import { advanceClock } from './advance-clock.ts'
import { catchUp } from './due-work.ts'
import { Deliverer } from './events/deliverer.ts'
import { createApiServer } from './http/api-server.ts'
import { randomText } from './ids.ts'
import { hostedPages } from './pages/hosted-pages.ts'
import { Store } from './store/store.ts'
import { TestClock } from './test-clock.ts'
import type { World } from './world.ts'

export interface SandboxOptions {
  /** The SQLite file that keeps the sandbox's state; `:memory:` in tests. */
  databasePath: string
  /** Where a browser reaches the hosted pages, like `http://localhost:5100/stripe-sandbox`. */
  pagesUrl: string
  /** Milliseconds. The test clock is a stored offset on it. */
  clock: { now(): number }
  /** Signs events, as in `Stripe-Signature`. */
  webhookSecret: string
  /** Hands an event to the product's webhook and answers its HTTP status. */
  deliver(body: string, signature: string): Promise<number>
}

export interface Sandbox {
  /** On loopback, at a port of its own: the SDK's `host` and `port`, with `protocol: 'http'`. */
  readonly api: { host: string; port: number }
  readonly secretKey: string
  readonly publishableKey: string
  /** The hosted pages and what browsers call; to be registered under the prefix `/stripe-sandbox`. */
  readonly pages: FastifyPluginAsync
  /** Moves the test clock: renewals, expiries and retries happen, in order. */
  advance(milliseconds: number): Promise<void>
  /** Until every event that is due now has been delivered. */
  settle(): Promise<void>
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
/** How often it looks by itself whether anything has become due. */
const HEARTBEAT = 5_000

/** Starts the sandbox. Nothing of it runs before. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const store = new Store(options.databasePath)
  const clock = new TestClock(store, options.clock)
  const deliverer = new Deliverer({ ...options, store, clock })
  const world: World = {
    store,
    clock,
    deliverer,
    pagesUrl: options.pagesUrl.replace(/\/+$/, ''),
    secretKey: keyOnce(store, 'secret_key', 'sk_test'),
    publishableKey: keyOnce(store, 'publishable_key', 'pk_test'),
  }
  const server = createApiServer(world)
  await server.listen({ host: LOOPBACK, port: 0 })
  const { port } = server.server.address() as AddressInfo
  const beat = () => {
    try {
      catchUp(world)
      deliverer.wake()
    } catch {
      // The database is busy or broken: the next call meets the same, and says so.
    }
  }
  const heartbeat = setInterval(beat, HEARTBEAT)
  heartbeat.unref()
  const advance = advanceClock(world)
  return {
    api: { host: LOOPBACK, port },
    secretKey: world.secretKey,
    publishableKey: world.publishableKey,
    pages: hostedPages(world, advance),
    advance,
    settle: async () => {
      catchUp(world)
      await deliverer.settle()
    },
    close: async () => {
      clearInterval(heartbeat)
      await server.close()
      await deliverer.close()
      store.close()
    },
  }
}

/** Made with the first start, so that what holds a key may go on with it. */
function keyOnce(store: Store, name: string, prefix: string): string {
  const kept = store.getSetting(name)
  if (kept) return kept
  const key = `${prefix}_${randomText(32)}`
  store.setSetting(name, key)
  return key
}
