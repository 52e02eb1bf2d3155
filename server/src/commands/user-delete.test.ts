import { deleteAccount, getAccountStatus, login } from '@alcove/contract/accounts'
import { beginTwoFactor, enableTwoFactor } from '@alcove/contract/two-factor'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BATCH_SIZE } from '../modules/accounts/deletion/delete-leftovers.ts'
import { noSettings, runTestCommand } from '../testing/clients/operator.ts'
import { readSubjects } from '../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../testing/engines/test-app.ts'
import { addManyItems } from '../testing/factories/many-items.ts'
import { countRows } from '../testing/factories/stored-blob.ts'
import { TEST_PASSWORD } from '../testing/factories/users.ts'
import { runCommand } from './commands.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

async function run(...given: string[]): Promise<[number, string[]]> {
  const lines: string[] = []
  const code = await runCommand(given, {
    print: (line) => lines.push(line),
    printError: (line) => lines.push(line),
    settings: noSettings,
    withOperator: (work) => {
      const { services } = app
      return work({ services, config: services.config, settingsWith: () => services.config })
    },
  })
  return [code, lines]
}

it('user delete deletes only the account with the address, ignoring case', async () => {
  const [user, other] = [await app.createUser(), await app.createUser()]
  await user.client.upload('a.txt', 'a')
  expect(await run('user', 'delete', user.email.toUpperCase())).toEqual([
    0,
    [`${user.email} is deleted. The server removes the bytes when it runs.`],
  ])
  expect((await user.client.call(getAccountStatus, {})).status).toBe(401)
  expect((await other.client.call(getAccountStatus, {})).status).toBe(200)
  await app.services.jobs.runDue()
  expect(await app.services.db.selectFrom('blobs').select('key').execute()).toEqual([])
  expect(await run('user', 'delete', user.email)).toEqual([1, [`There is no user ${user.email}.`]])
})

it('user delete deletes all items of a large account by itself, because no server may be running', async () => {
  const user = await app.createUser()
  const { services, clock } = app
  const names = Array.from({ length: 3 * BATCH_SIZE }, (_unused, index) => `${index}.txt`)
  await addManyItems(services, { ownerId: user.id, names })
  const { code, errors } = await runTestCommand(services.config, clock, 'user', 'delete', user.email)
  expect([code, errors]).toEqual([0, []])
  expect(await countRows(services.db, user.id)).toEqual({})
  await services.jobs.runDue()
  expect(await services.db.selectFrom('blobs').select('key').execute()).toEqual([])
})

it('user list and user delete ignore a deleted account whose items are still being deleted', async () => {
  const user = await app.createUser()
  const names = Array.from({ length: BATCH_SIZE + 1 }, (_unused, index) => `${index}.txt`)
  await addManyItems(app.services, { ownerId: user.id, names })
  expect((await user.client.call(deleteAccount, {})).status).toBe(200)
  expect((await run('user', 'list'))[1].join()).not.toContain(user.id)
  for (const name of [user.email, user.id]) {
    expect(await run('user', 'delete', name)).toEqual([1, [`There is no user ${name}.`]])
  }
  await app.services.jobs.runDue()
  expect(await countRows(app.services.db, user.id)).toEqual({})
})

it('user disable-two-factor lets a user sign in with the password only, and notifies them', async () => {
  const { client, email } = await app.createUser()
  const off = [1, [`Two-factor sign-in is already off for ${email}.`]]
  expect(await run('user', 'disable-two-factor', email)).toEqual(off)
  const { secret } = (await client.call(beginTwoFactor, { password: TEST_PASSWORD })).body
  const code = new TOTP({ secret }).generate({ timestamp: app.clock.now() })
  expect((await client.call(enableTwoFactor, { code })).status).toBe(200)
  expect(await run('user', 'disable-two-factor', email)).toEqual([0, [`Two-factor sign-in is off for ${email} now.`]])
  const signedIn = await app.visitor.call(login, { email, password: TEST_PASSWORD })
  expect(signedIn.body).toHaveProperty('token')
  await app.services.jobs.runDue()
  expect(await readSubjects(app, email)).toContain('Two-factor sign-in was turned off - Alcove')
  expect(await run('user', 'disable-two-factor', email)).toEqual(off)
})
