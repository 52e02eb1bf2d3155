import type { AddressInfo } from 'node:net'
import type { FastifyPluginAsync } from 'fastify'
import { advanceClock, catchUp } from './due-work.ts'
import { Deliverer } from './events.ts'
import { createApiServer } from './http/api-server.ts'
import { hostedPages } from './pages/hosted-pages.ts'
import { Store } from './store.ts'
import { randomText } from './text.ts'
import { TestClock, type World } from './world.ts'

export interface SandboxOptions {
  /** The SQLite file that keeps the sandbox's state; `:memory:` in tests. */
  databasePath: string
  /** Where a browser reaches the hosted pages, like `http://localhost:5100/stripe-sandbox`. */
  pagesUrl: string
  /** In milliseconds. The test clock adds a stored offset to it. */
  clock: { now(): number }
  /** The key for the `Stripe-Signature` of events. */
  webhookSecret: string
  /** Sends an event to the product's webhook and returns the HTTP status. */
  deliver(body: string, signature: string): Promise<number>
}

export interface Sandbox {
  /** The address of the API on the loopback interface, for the SDK's `host` and `port` with `protocol: 'http'`. */
  readonly api: { host: string; port: number }
  readonly secretKey: string
  readonly publishableKey: string
  /** The hosted pages and the browser's API, to be registered under the path of `pagesUrl`. */
  readonly pages: FastifyPluginAsync
  /** Moves the test clock forward. Renewals, expiries and retries on the way happen in order. */
  advance(milliseconds: number): Promise<void>
  /** Waits until every event that is due now has been delivered. */
  settle(): Promise<void>
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
/** How often the sandbox checks for due work when nobody calls it. */
const CHECK_INTERVAL = 5_000

/** Starts the sandbox. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const store = new Store(options.databasePath)
  const clock = new TestClock(store, options.clock)
  const deliverer = new Deliverer({ ...options, store, clock })
  const world: World = {
    store,
    clock,
    deliverer,
    pagesUrl: options.pagesUrl.replace(/\/+$/, ''),
    secretKey: readOrCreateKey(store, 'secret_key', 'sk_test'),
    publishableKey: readOrCreateKey(store, 'publishable_key', 'pk_test'),
  }
  const server = createApiServer(world)
  await server.listen({ host: LOOPBACK, port: 0 })
  const { port } = server.server.address() as AddressInfo
  const check = () => {
    try {
      catchUp(world)
      deliverer.wake()
    } catch {
      // The database is busy or broken. The next call reports it.
    }
  }
  const timer = setInterval(check, CHECK_INTERVAL)
  timer.unref()
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
      clearInterval(timer)
      await server.close()
      await deliverer.close()
      store.close()
    },
  }
}

/** Returns the stored key, or creates and stores one. Keys stay the same across restarts. */
function readOrCreateKey(store: Store, name: string, prefix: string): string {
  const kept = store.getSetting(name)
  if (kept) return kept
  const key = `${prefix}_${randomText(32)}`
  store.setSetting(name, key)
  return key
}
