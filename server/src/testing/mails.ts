import type { TestApp } from './test-app.ts'

/** The tokens of the links to a page that were mailed to an address, the oldest first. */
export async function readTokens(
  app: Pick<TestApp, 'readMails'>,
  page: 'activate' | 'reset-password',
  to: string,
): Promise<string[]> {
  const mails = (await app.readMails()).filter((mail) => mail.includes(`\nTo: ${to}\n`))
  const link = new RegExp(`/${page}\\?token=([\\w-]+)$`, 'm')
  return mails.flatMap((mail) => link.exec(mail)?.[1] ?? [])
}

/** The token of the newest such link. */
export async function readToken(...which: Parameters<typeof readTokens>): Promise<string> {
  const token = (await readTokens(...which)).at(-1)
  if (token === undefined) throw new Error(`no link to ${which[1]} was mailed to ${which[2]}`)
  return token
}

/** What the mails to an address are about, the oldest first. */
export async function readSubjects(app: Pick<TestApp, 'readMails'>, to: string): Promise<string[]> {
  const mails = (await app.readMails()).filter((mail) => mail.includes(`\nTo: ${to}\n`))
  return mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1] ?? '')
}
