import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { createUser } from '../../modules/accounts/users.ts'
import { hashPassword } from '../../platform/crypto/passwords.ts'
import { signSessionToken } from '../../platform/crypto/session-token.ts'
import { TestClient } from '../clients/client.ts'

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
      const id = await services.db.transaction().execute(async (tx) => {
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
      const token = await signSessionToken(services.secrets.sessionKey, { userId: id, sessionId })
      return { id, email, token, client: new TestClient(app, token) }
    },
  }
}
