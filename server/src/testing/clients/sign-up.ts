import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { activate, login, register } from '@alcove/contract/accounts'
import type { TestApp } from '../engines/test-app.ts'
import { TEST_PASSWORD } from '../factories/users.ts'
import type { TestClient } from './client.ts'
import { clientAt } from './over-http.ts'

interface SignedUp {
  email: string
  /** The session token. */
  token: string
  client: TestClient
}

const MAIL_WITHIN = 20_000

/** Registers at a running server, opens the link of the mail, and signs in. */
export async function signUp(url: string, email: string, dataDirs: readonly string[]): Promise<SignedUp> {
  const visitor = clientAt(url)
  assertSuccess(await visitor.call(register, { email, password: TEST_PASSWORD }))
  assertSuccess(await visitor.call(activate, { token: await waitForToken(email, dataDirs) }))
  const signedIn = await visitor.call(login, { email, password: TEST_PASSWORD })
  assertSuccess(signedIn)
  if (signedIn.body.twoFactorRequired) throw new Error('a new account requires a code')
  const { token } = signedIn.body
  return { email, token, client: clientAt(url, token) }
}

/** Returns all mails in the outboxes of some servers, the oldest of each first. */
export async function readOutboxes(dataDirs: readonly string[]): Promise<string[]> {
  const mails: string[] = []
  for (const dataDir of dataDirs) {
    const names = await readdir(join(dataDir, 'outbox')).catch(() => [])
    const paths = names.filter((name) => name.endsWith('.eml')).sort()
    for (const name of paths) mails.push(await readFile(join(dataDir, 'outbox', name), 'utf8'))
  }
  return mails
}

/** Waits for the mail, which any of the servers may write. */
async function waitForToken(email: string, dataDirs: readonly string[]): Promise<string> {
  const deadline = Date.now() + MAIL_WITHIN
  for (;;) {
    try {
      return await readToken({ readMails: () => readOutboxes(dataDirs) }, 'activate', email)
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await wait(50)
  }
}

function assertSuccess({ status, body }: { status: number; body: object }): void {
  if (status >= 300) throw new Error(`signing up failed with ${status}: ${JSON.stringify(body)}`)
}

/** Returns the tokens of the links to a page that were mailed to an address, oldest first. */
export async function readTokens(
  app: Pick<TestApp, 'readMails'>,
  page: 'activate' | 'reset-password',
  to: string,
): Promise<string[]> {
  const mails = (await app.readMails()).filter((mail) => mail.includes(`\nTo: ${to}\n`))
  const link = new RegExp(`/${page}\\?token=([\\w-]+)$`, 'm')
  return mails.flatMap((mail) => link.exec(mail)?.[1] ?? [])
}

/** Returns the token of the newest such link. */
export async function readToken(...which: Parameters<typeof readTokens>): Promise<string> {
  const token = (await readTokens(...which)).at(-1)
  if (token === undefined) throw new Error(`no link to ${which[1]} was mailed to ${which[2]}`)
  return token
}

/** Returns the subjects of the mails to an address, oldest first. */
export async function readSubjects(app: Pick<TestApp, 'readMails'>, to: string): Promise<string[]> {
  const mails = (await app.readMails()).filter((mail) => mail.includes(`\nTo: ${to}\n`))
  return mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1] ?? '')
}
