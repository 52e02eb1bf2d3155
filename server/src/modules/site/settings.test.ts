import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestApp, openTestServer, type TestApp } from '../../testing/engines/test-app.ts'
import { changeSetting, defineSetting, readSetting } from './settings.ts'

const colors = defineSetting({
  name: 'colors',
  schema: z.object({ names: z.array(z.string()) }),
  initial: ({ supportEmail }) => ({ names: [supportEmail] }),
})

let app: TestApp
beforeEach(async () => {
  app = await createTestApp({ supportEmail: 'help@example.com' })
})
afterEach(() => app.close())

const add = (name: string) => changeSetting(app.services, colors, ({ names }) => ({ names: [...names, name] }))

it('a setting has the value of the environment until it is changed, and then the new one at once', async () => {
  expect(await readSetting(app.services, colors)).toEqual({ names: ['help@example.com'] })
  expect(await add('red')).toEqual({ names: ['help@example.com', 'red'] })
  expect(await readSetting(app.services, colors)).toEqual({ names: ['help@example.com', 'red'] })
})

it('changes of the same setting at the same time build on each other', async () => {
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(add))
  const { names } = await readSetting(app.services, colors)
  expect(names.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'help@example.com'])
})

it('a change that is refused leaves the value', async () => {
  await add('red')
  await expect(
    changeSetting(app.services, colors, () => {
      throw new Error('refused')
    }),
  ).rejects.toThrow('refused')
  expect(await readSetting(app.services, colors)).toEqual({ names: ['help@example.com', 'red'] })
})

it('another server follows a change', async () => {
  const other = await openTestServer(app.services.config, app.clock)
  try {
    await readSetting(other.services, colors)
    await add('red')
    await expect
      .poll(() => readSetting(other.services, colors), { timeout: 5000 })
      .toEqual({ names: ['help@example.com', 'red'] })
  } finally {
    await other.stop()
  }
})

it('a value that this version can’t read counts as unset', async () => {
  await add('red')
  await app.services.db
    .updateTable('site_settings')
    .set({ value: '{"names":7}' })
    .where('name', '=', 'colors')
    .execute()
  const other = await openTestServer(app.services.config, app.clock)
  try {
    expect(await readSetting(other.services, colors)).toEqual({ names: ['help@example.com'] })
  } finally {
    await other.stop()
  }
})
