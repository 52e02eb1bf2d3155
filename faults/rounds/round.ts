import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { getStorage } from '@alcove/contract/files'
import { runVerify } from '@alcove/server/testing/clients/operator'
import { clientAt } from '@alcove/server/testing/clients/over-http'
import { signUp } from '@alcove/server/testing/clients/sign-up'
import { type ServerProcess, startServerProcess } from '@alcove/server/testing/engines/server-process'
import { Client } from '../clients/client.ts'
import { expectSuccess, settle } from '../clients/settle.ts'
import { sizeOf } from '../clients/tree.ts'
import { ignoreServerGone, sendSmall, work } from '../clients/work.ts'
import type { Random } from '../random.ts'
import type { Step } from './steps.ts'

/** A server, and accounts with clients. */
export interface Scenario {
  server: ServerProcess
  /** The server's settings. */
  environment: Record<string, string>
  accounts: readonly (readonly Client[])[]
  /** Compares everything on the server with what the clients remember. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The clients of two accounts. Three share one, so that their changes conflict. */
const ACCOUNTS = [['ada', 'ben', 'cleo'], ['dora']] as const

/** Starts a server, on an empty PostgreSQL database if one is given, and signs up the clients. */
export async function openScenario(random: Random, databaseUrl?: string): Promise<Scenario> {
  const dataDir = await mkdtemp(join(tmpdir(), 'alcove-faults-'))
  const environment = { ALCOVE_DATA_DIR: dataDir, ...(databaseUrl && { ALCOVE_DATABASE_URL: databaseUrl }) }
  const server = await startServerProcess(environment, { dataDir })
  const accounts: Client[][] = []
  for (const names of ACCOUNTS) {
    const email = `${names[0]}-${random.between(0, 2 ** 32 - 1)}@example.com`
    const { token } = await signUp(server.url, email, [dataDir])
    accounts.push(names.map((name) => new Client(name, clientAt(server.url, token), random.fork(), names.length === 1)))
  }
  return {
    server,
    environment,
    accounts,
    check: async () => {
      for (const account of accounts) await checkAccount(account)
      const verified = await runVerify(environment)
      if (verified.code !== 0) {
        throw new Error(`verify ended with ${verified.code}:\n${[...verified.printed, ...verified.errors].join('\n')}`)
      }
      const errors = server
        .output()
        .split('\n')
        .filter((line) => /"level":[56]0/.test(line))
      if (errors.length > 0) throw new Error(`the server logged errors:\n${errors.join('\n')}`)
    },
    close: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function checkAccount(clients: readonly Client[]): Promise<void> {
  await Promise.all(clients.map(settle))
  const storage = await (clients[0] as Client).api.call(getStorage, {})
  expectSuccess(storage, 'the storage')
  const stored = clients.reduce((sum, { tree }) => sum + sizeOf(tree), 0)
  if (storage.body.used_bytes !== stored) {
    throw new Error(`${storage.body.used_bytes} bytes are recorded as used, but ${stored} were stored`)
  }
}

/** The other clients work for up to this many milliseconds before the step. */
const HEAD_START = 150
/** How many milliseconds a small file takes on an idle machine, over its own connection. */
const SMALL_FILE_TAKES = 8
/** Roughly how many milliseconds the server takes to start. */
const STARTING = 700

/**
 * One client does the step while the others do anything. Kills the server in the middle, starts it again and checks it.
 * Returns whether it was killed before it acknowledged the step.
 */
export async function killDuring(scenario: Scenario, step: Step, random: Random): Promise<boolean> {
  const aimed = random.pick(scenario.accounts.flat())
  const act = await step.prepare(aimed)
  const within = step.lasts * (await measureSlowness(aimed))
  let isOver = false
  let isAcknowledged = false
  const others = scenario.accounts.flat().filter((client) => client !== aimed)
  const working = Promise.allSettled(others.map((client) => work(client, () => isOver)))
  await wait(random.fraction() * HEAD_START)
  const doing = act().then(() => {
    isAcknowledged = true
  })
  const acting = Promise.allSettled([ignoreServerGone(doing)])
  await wait(random.fraction() * within)
  isOver = true
  await scenario.server.kill()
  for (const end of [...(await working), ...(await acting)]) if (end.status === 'rejected') throw end.reason
  await scenario.server.start()
  await scenario.check()
  return !isAcknowledged
}

/** Returns how many times slower than an idle machine this one is now. */
async function measureSlowness(client: Client): Promise<number> {
  const start = performance.now()
  await sendSmall(client)
  return Math.max(1, (performance.now() - start) / SMALL_FILE_TAKES)
}

/** Kills the server while it starts. Returns whether it was killed before it was ready. */
export async function killDuringStart(scenario: Scenario, random: Random): Promise<boolean> {
  await scenario.server.kill()
  let isReady = false
  const starting = scenario.server.start().then(
    () => {
      isReady = true
    },
    () => {},
  )
  await wait(random.fraction() * STARTING)
  await scenario.server.kill()
  await starting
  await scenario.server.start()
  await scenario.check()
  return !isReady
}
