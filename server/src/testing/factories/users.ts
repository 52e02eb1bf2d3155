import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { createUser } from '../../modules/accounts/users.ts'
import { hashPassword } from '../../platform/crypto/passwords.ts'
import { signSessionToken } from '../../platform/crypto/session-token.ts'
import { TestClient } from '../clients/client.ts'
import { lastStatements } from '../engines/item-scans.ts'

export const TEST_PASSWORD = 'Correct-horse-7'

export interface TestUser {
  id: string
  email: string
  token: string
  client: TestClient
}

export interface Factories {
  /** Creates a signed-in user by writing rows, which is faster than signing in. */
  createUser(details?: {
    email?: string
    isActivated?: boolean
    planName?: string
    allocatedBytes?: number
    isAdmin?: boolean
  }): Promise<TestUser>
}

let passwordHash: Promise<string> | undefined

export function createFactories(app: FastifyInstance, services: Services): Factories {
  return {
    async createUser(details = {}) {
      passwordHash ??= hashPassword(TEST_PASSWORD)
      const hash = await passwordHash
      const email = details.email ?? `${randomUUID()}@example.com`
      const now = services.clock.now()
      const sessionId = randomUUID()
      const written = services.db.transaction().execute(async (tx) => {
        const userId = await createUser(services, tx, {
          email,
          passwordHash: hash,
          activatedAt: details.isActivated === false ? null : now,
          now,
        })
        // The address that calls of tests come from.
        await tx.updateTable('users').set({ claimed_from: '127.0.0.1' }).where('id', '=', userId).execute()
        await tx
          .insertInto('sessions')
          .values({
            id: sessionId,
            user_id: userId,
            created_at: now,
            expires_at: now + services.config.sessionTtl,
            last_used_at: now,
          })
          .execute()
        if (details.planName)
          await tx
            .updateTable('users')
            .set({ plan_id: 1, plan_name: details.planName })
            .where('id', '=', userId)
            .execute()
        if (details.isAdmin)
          await tx.updateTable('users').set({ site_role: 'admin' }).where('id', '=', userId).execute()
        if (details.allocatedBytes !== undefined) {
          await tx
            .updateTable('users')
            .set({ allocated_bytes: details.allocatedBytes })
            .where('id', '=', userId)
            .execute()
        }
        return userId
      })
      const id = await inTime(written, 'the rows of a new user')
      const signed = signSessionToken(services.secrets.sessionKey, { userId: id, sessionId })
      const token = await inTime(signed, 'the token of a new user')
      return { id, email, token, client: new TestClient(app, token) }
    },
  }
}

/** Less than the timeout of a hook, which wouldn't tell what it was waiting for. */
const IN_TIME = 25_000

async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  const over = new AbortController()
  const late = wait(IN_TIME, undefined, { signal: over.signal }).then(() => {
    const busy = process.getActiveResourcesInfo().join(', ')
    const last = lastStatements.map((statement) => statement.slice(0, 100)).join('\n')
    throw new Error(
      `Waited ${IN_TIME / 1000} s for ${what}. The process has open: ${busy}. Its last statements on SQLite:\n${last}`,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    late.catch(() => {})
    over.abort()
  }
}
