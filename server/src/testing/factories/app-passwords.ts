import { createAppPassword } from '@alcove/contract/app-passwords'
import type { InputOf } from '@alcove/contract/call'
import { TestClient } from '../clients/client.ts'
import type { TestApp } from '../engines/test-app.ts'
import type { TestUser } from './users.ts'

export interface TestAppPassword {
  id: string
  secret: string
  /** Makes calls with the app password as a bearer token. */
  client: TestClient
}

/** Creates an app password of a user, by default for reading and writing the whole drive. */
export async function addAppPassword(
  app: TestApp,
  user: TestUser,
  details: Partial<InputOf<typeof createAppPassword>> = {},
): Promise<TestAppPassword> {
  const { status, body } = await user.client.call(createAppPassword, { name: 'App', scope: 'write', ...details })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { id: body.id, secret: body.secret, client: new TestClient(app.app, body.secret) }
}
