import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listPlans } from '@alcove/contract/billing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runTestCommand } from '../testing/clients/operator.ts'
import { createTestApp, type TestApp } from '../testing/engines/test-app.ts'

let app: TestApp
let file: string
beforeEach(async () => {
  app = await createTestApp()
  file = join(app.dataDir, 'plans.json')
})
afterEach(() => app.close())

const run = (...given: string[]) => runTestCommand(app.services.config, app.clock, ...given)

async function edit(change: (list: { plans: Record<string, unknown>[]; revision?: number }) => unknown) {
  const { printed } = await run('plans', 'show', '--json')
  await writeFile(file, JSON.stringify(change(JSON.parse(printed.join('\n')))))
  return run('plans', 'set', file)
}

it('prints the plans with the accounts that have them', async () => {
  const user = await app.createUser()
  expect((await run('user', 'set-plan', user.email, '2')).code).toBe(0)
  const { printed } = await run('plans', 'show')
  expect(printed).toHaveLength(12)
  expect(printed.slice(0, 2)).toEqual([
    '1\t100 GB Monthly\t100 GB\t$1.99\t0 accounts',
    '2\t500 GB Monthly\t500 GB\t$4.99\t1 account\thighlighted',
  ])
})

it('puts the list that it has printed back, edited, and takes the plans of the installation again', async () => {
  const user = await app.createUser()
  await run('user', 'set-plan', user.email, '1')
  const set = await edit(({ plans: [first], revision }) => ({ plans: [{ ...first, price: 3 }], revision }))
  expect(set).toMatchObject({ code: 0, printed: ['1 plan is for sale now.'] })
  expect((await run('plans', 'show')).printed).toEqual([
    expect.stringMatching(/^\d{5}\t100 GB Monthly\t100 GB\t\$3\.00\t0 accounts$/),
    '1\t100 GB Monthly\t100 GB\t$1.99\t1 account\tno longer sold',
  ])
  expect((await run('plans', 'reset')).code).toBe(0)
  expect((await app.visitor.call(listPlans, {})).body.Monthly).toHaveLength(4)
})

it('takes a list without a revision as it is', async () => {
  await writeFile(file, JSON.stringify([{ period: 'Lifetime', gigabytes: 1024, price: 250 }]))
  expect((await run('plans', 'set', file)).code).toBe(0)
  expect((await app.visitor.call(listPlans, {})).body.Lifetime).toMatchObject([{ tier: '1 TB', price: 250 }])
})

it('doesn’t replace plans that were changed since they were printed', async () => {
  const { printed } = await run('plans', 'show', '--json')
  await edit(({ plans, revision }) => ({ plans: plans.slice(1), revision }))
  await writeFile(file, printed.join('\n'))
  expect(await run('plans', 'set', file)).toMatchObject({
    ...{ code: 1, errors: ['Someone else changed the plans meanwhile. Load them again.'] },
  })
})

it.each([
  ['{', 'The plans aren’t JSON: '],
  ['{}', 'The plans must be a list.'],
  ['[{}]', 'Plan 1 of the list: The period must be Monthly, Annually or Lifetime.'],
  ['[{"period":"Monthly","gigabytes":1,"price":0}]', 'Plan 1 of the list: The price must be in dollars'],
])('refuses the file %s', async (content, error) => {
  await writeFile(file, content)
  const { code, errors } = await run('plans', 'set', file)
  expect([code, errors]).toEqual([1, [expect.stringContaining(error)]])
})

it('names a file that it can’t read', async () => {
  const { code, errors } = await run('plans', 'set', `${file}.missing`)
  expect([code, errors]).toEqual([1, [expect.stringContaining('can’t be read: ENOENT')]])
  await expect(readFile(file)).rejects.toThrow('ENOENT')
})
