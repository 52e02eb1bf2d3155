import type { UserContext } from '../../context.ts'
import { acquireLock } from '../../modules/items/locks/acquire-lock.ts'
import { findSessionUser } from '../../platform/http/authenticate.ts'
import type { TestApp } from '../engines/test-app.ts'
import type { TestUser } from './users.ts'

const LIBRE_OFFICE = 'LibreOffice/24.8.4.2 (Linux; X86_64) curl/8.11.0'

/** Returns the context of a request of a user that holds locks, which no call of the API can. */
export async function contextOf(
  { services }: Pick<TestApp, 'services'>,
  { token }: TestUser,
  lockTokens: readonly string[] = [],
): Promise<UserContext> {
  const ip = '127.0.0.1'
  const user = await findSessionUser(services, token, ip)
  if (!user) throw new Error('the user has no session')
  return {
    ...services,
    user: { ...user, lockTokens: new Set(lockTokens) },
    ip,
    bearer: token,
    userAgent: LIBRE_OFFICE,
    abortSignal: () => new AbortController().signal,
  }
}

/** Locks an item as LibreOffice does when it opens a file. */
export async function lockItem(
  app: Pick<TestApp, 'services'>,
  user: TestUser,
  itemId: string,
  depth: '0' | 'infinity' = '0',
): Promise<void> {
  await acquireLock(await contextOf(app, user), itemId, { scope: 'exclusive', depth, owner: 'Ann' })
}
