import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getStorage } from '@alcove/contract/files'
import { verifyBeside } from '@alcove/server/testing/external-server'
import { clientAt } from '@alcove/server/testing/over-http'
import { type ServerProcess, startServerProcess } from '@alcove/server/testing/server-process'
import { signUp } from '@alcove/server/testing/sign-up'
import { Client } from '../clients/client.ts'
import { expectSuccess } from '../clients/read-items.ts'
import { settle } from '../clients/settle.ts'
import { sizeOf } from '../clients/tree.ts'
import type { Random } from '../random.ts'

/** A server, and accounts with the clients that work in each. */
export interface Scene {
  server: ServerProcess
  /** Its settings. */
  environment: Record<string, string>
  accounts: readonly (readonly Client[])[]
  /** Holds everything there is to what the clients remember. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Two accounts: one that three clients share, so that they get into each other's way, and one with a client alone. */
const ACCOUNTS = [['ada', 'ben', 'cleo'], ['dora']] as const

/** On a PostgreSQL database where one is given, which should be an empty one. */
export async function openScene(random: Random, databaseUrl?: string): Promise<Scene> {
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
      const { code, printed, complaints } = await verifyBeside(environment)
      if (code !== 0) throw new Error(`verify ended with ${code}:\n${[...printed, ...complaints].join('\n')}`)
      const errors = server
        .output()
        .split('\n')
        .filter((line) => /"level":[56]0/.test(line))
      if (errors.length > 0) throw new Error(`the server has complained:\n${errors.join('\n')}`)
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
    throw new Error(`${storage.body.used_bytes} bytes are said to be used, ${stored} were stored`)
  }
}
