import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { activate, login, register } from '@alcove/contract/accounts'
import type { AnyCall, InputOf, OutputOf } from '@alcove/contract/call'
import { listRootFolders } from '@alcove/contract/files'
import type { Alcove } from './alcove.ts'

/** A signed-in user of a running server. */
export interface Account {
  api: string
  /** The value of the header. */
  authorization: string
}

const SPACE = 1024 ** 4
const MAIL_WITHIN = 10_000

/** Registers, activates and signs in as any user does; then gives the account more room than any plan has. */
export async function openAccount(alcove: Alcove): Promise<Account> {
  const email = 'bench@example.com'
  const password = 'Benchmark-1'
  await send(alcove, register, { email, password })
  await send(alcove, activate, { token: await readActivationToken(alcove) })
  const signedIn = await send(alcove, login, { email, password })
  if (signedIn.twoFactorRequired) throw new Error('A new account asks for a code.')
  grantRoom(alcove)
  return { api: alcove.api, authorization: `Bearer ${signedIn.token}` }
}

/** The id of a folder at the root. */
export async function findFolderId(account: Account, name: string): Promise<string> {
  const folder = (await send(account, listRootFolders, {})).find((found) => found.name === name)
  if (!folder) throw new Error(`The uploads have not created the folder ${name}.`)
  return folder.id
}

/** Makes a call whose path has no parameters. */
export async function send<C extends AnyCall>(
  server: { api: string; authorization?: string },
  call: C,
  input: InputOf<C>,
): Promise<OutputOf<C>> {
  const response = await fetch(`${server.api}${call.path}`, {
    method: call.method,
    headers: {
      ...(server.authorization && { authorization: server.authorization }),
      ...(call.method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(call.method === 'POST' && { body: JSON.stringify(input) }),
  })
  if (!response.ok) throw new Error(`${call.path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as OutputOf<C>
}

/** Without a mail server each mail is a file; it may come a moment after the response. */
async function readActivationToken({ dataDir }: Alcove): Promise<string> {
  const outbox = join(dataDir, 'outbox')
  const deadline = Date.now() + MAIL_WITHIN
  while (Date.now() < deadline) {
    const mails = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'))
    const text = mails[0] && (await readFile(join(outbox, mails[0]), 'utf8'))
    // Should the mail be encoded for the way, its lines are joined and its equals signs restored first.
    const token = text && /token=([\w-]+)/.exec(text.replace(/=\r?\n/g, '').replace(/=3D/g, '='))?.[1]
    if (token) return token
    await wait(50)
  }
  throw new Error(`No activation mail has come to ${outbox}.`)
}

function grantRoom({ dataDir }: Alcove): void {
  const database = new DatabaseSync(join(dataDir, 'alcove.sqlite'), { timeout: 5000 })
  database.prepare('update users set allocated_bytes = ?').run(SPACE)
  database.close()
}
