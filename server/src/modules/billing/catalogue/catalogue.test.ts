import { getPlanCatalogue, type PlanCatalogue, replacePlans, resetPlans } from '@alcove/contract/admin-plans'
import { listAuditLog } from '@alcove/contract/audit'
import { listPlans } from '@alcove/contract/billing'
import type { InputOf } from '@alcove/contract/call'
import { plans } from '@alcove/contract/plans'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { isEditedId, nextIdAt } from './catalogue.ts'

let app: TestApp
let admin: TestUser
/** The id of the first plan that an administrator makes. */
let first: number
beforeEach(async () => {
  app = await createTestApp()
  admin = await app.createUser({ isAdmin: true })
  first = nextIdAt(app.clock.now(), { nextPlanId: 0 })
})
afterEach(() => app.close())

const read = async () => (await admin.client.call(getPlanCatalogue, {})).body

/** Returns the list as it would be sent back, to be edited. */
function editable({ plans: those }: PlanCatalogue) {
  return those.map(({ planId, period, name, gigabytes, price, ownDescription, highlight }) => {
    return { planId, period, name, gigabytes, price, description: ownDescription, highlight }
  })
}
type Line = Partial<ReturnType<typeof editable>[number]>

const put = async (list: Line[], revision?: number) =>
  admin.client.call(replacePlans, {
    plans: list as InputOf<typeof replacePlans>['plans'],
    revision: revision ?? (await read()).revision,
  })

/** Changes one plan in the list that is for sale. */
async function edit(planId: number, changes: Line) {
  const catalogue = await read()
  const list = editable(catalogue).map((line) => (line.planId === planId ? { ...line, ...changes } : line))
  return put(list, catalogue.revision)
}

const give = (userId: string, planId: number) =>
  app.services.db.updateTable('users').set({ plan_id: planId }).where('id', '=', userId).execute()

describe('the plans of an installation', () => {
  it('are for sale until an administrator changes them, sorted by period and size', async () => {
    const catalogue = await read()
    expect(catalogue).toMatchObject({ isFromFile: true, arePlansOn: true, revision: 0, former: [] })
    expect(catalogue.plans.map(({ planId }) => planId)).toEqual(plans.map(({ planId }) => planId))
    expect(catalogue.plans[2]).toEqual({
      ...{ planId: 3, period: 'Monthly', name: null, tier: '2 TB', gigabytes: 2048, price: 9.99, highlight: false },
      description: 'Film, raw photos and whole-computer archives.',
      ...{ ownDescription: null, planName: '2 TB Monthly', subscribers: 0 },
    })
  })

  it('stay as they are when the same list is saved', async () => {
    expect((await put(editable(await read()))).body).toMatchObject({ isFromFile: true, revision: 0 })
  })

  it('have smaller ids than the plans that administrators make, whatever the clock says', () => {
    expect(plans.some(({ planId }) => isEditedId(planId))).toBe(false)
    expect(isEditedId(nextIdAt(0, { nextPlanId: 1001 }))).toBe(true)
  })
})

describe('changing the plans', () => {
  it('sells a plan with another price under a new id, and keeps the old one for its subscribers', async () => {
    const user = await app.createUser()
    await give(user.id, 7)
    const { status, body } = await edit(7, { price: 89.5 })
    expect(status).toBe(200)
    expect(body).toMatchObject({ isFromFile: false, revision: 1 })
    expect(body.plans[6]).toMatchObject({ planId: first, price: 89.5, tier: '2 TB', subscribers: 0 })
    expect(body.former).toMatchObject([{ planId: 7, price: 99.99, planName: '2 TB Annually', subscribers: 1 }])
  })

  it.each<[string, Line]>([
    ['name', { name: 'Family' }],
    ['storage', { gigabytes: 3072 }],
    ['price', { price: 1234.56 }],
    ['period', { period: 'Lifetime', name: 'Long' }],
  ])('makes a new plan if the %s changes', async (_what, changes) => {
    const { body } = await edit(7, changes)
    expect(body.plans.map(({ planId }) => planId)).toContain(first)
    expect(body.plans.map(({ planId }) => planId)).not.toContain(7)
  })

  it('changes the order, the description and the highlight of a plan in place', async () => {
    const catalogue = await read()
    const [small, ...rest] = editable(catalogue)
    const list = [...rest, { ...small, description: 'For letters.', highlight: false }]
    const { body } = await put(list, catalogue.revision)
    expect(body.plans.map(({ planId }) => planId)).toEqual([2, 3, 4, 1, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(body.plans[3]).toMatchObject({ planId: 1, description: 'For letters.', ownDescription: 'For letters.' })
    const { Monthly } = (await app.visitor.call(listPlans, {})).body
    expect(Monthly.map(({ planId }) => planId)).toEqual([2, 3, 4, 1])
    expect(Monthly[3]).toMatchObject({ description: 'For letters.' })
  })

  it('shows visitors the name, the largest exact unit and the price', async () => {
    await put([
      { period: 'Monthly', name: ' Family  ', gigabytes: 1536, price: 12 },
      { period: 'Monthly', gigabytes: 2048, price: 0.5 },
    ])
    expect((await app.visitor.call(listPlans, {})).body).toEqual({
      Monthly: [
        {
          ...{ planId: first, name: 'Family', tier: '1536 GB', price: 12, highlight: false },
          description: 'A flexible and secure cloud storage option.',
          features: ['1536 GB of storage', 'Vault, music and video', 'Public links'],
        },
        {
          ...{ planId: first + 1, tier: '2 TB', price: 0.5, highlight: false },
          description: 'Film, raw photos and whole-computer archives.',
          features: ['2 TB of storage', 'Vault, music and video', 'Public links'],
        },
      ],
      Annually: [],
      Lifetime: [],
    })
  })

  it('sells the former plan again if a change is taken back, and never uses an id twice', async () => {
    await edit(7, { price: 89 })
    const back = await edit(first, { price: 99.99 })
    expect(back.body.plans[6]).toMatchObject({ planId: 7 })
    const again = await edit(7, { price: 79 })
    expect(again.body.plans[6]).toMatchObject({ planId: first + 1 })
  })

  it('recognizes plans without ids by what they are', async () => {
    const list = editable(await read()).map(({ planId: _planId, ...line }) => line)
    expect((await put(list.slice(0, 4))).body.plans.map(({ planId }) => planId)).toEqual([1, 2, 3, 4])
  })

  it('lets the first of two administrators win and tells the other', async () => {
    const catalogue = await read()
    const list = editable(catalogue)
    const answers = await Promise.all(
      [1, 2, 3].map((price) => put([{ ...list[0], price: price + 0.25 }], catalogue.revision)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const lost = answers.find(({ status }) => status === 409)
    expect(lost?.body.error).toBe('Someone else changed the plans meanwhile. Load them again.')
    expect((await read()).revision).toBe(1)
  })

  it('accepts the same change twice, as after a lost response', async () => {
    const catalogue = await read()
    const list = editable(catalogue).map((line) => ({ ...line, price: line.price + 1 }))
    const first = await put(list, catalogue.revision)
    const second = await put(list, catalogue.revision)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toEqual(first.body)
  })

  it.each<[string, Line[], string]>([
    [
      'a price below 50 cents',
      [{ price: 0.49 }],
      'The price must be in dollars and whole cents, from 0.50 to 99,999.99.',
    ],
    [
      'a price beyond 99,999.99',
      [{ price: 100_000 }],
      'The price must be in dollars and whole cents, from 0.50 to 99,999.99.',
    ],
    ['half a cent', [{ price: 1.005 }], 'The price must be in dollars and whole cents, from 0.50 to 99,999.99.'],
    ['half a gigabyte', [{ gigabytes: 0.5 }], 'The storage must be a whole number of GB, at least 1.'],
    ['more than 1024 TB', [{ gigabytes: 1024 * 1024 + 1 }], 'A plan can have at most 1024 TB.'],
    ['an empty name', [{ name: ' ' }], 'Enter a name, or leave it out to name the plan after its storage.'],
    ['a long name', [{ name: 'x'.repeat(41) }], 'The name of a plan can have up to 40 characters.'],
    [
      'a name with a line break',
      [{ name: 'a\nb' }],
      'The name of a plan must be on one line, without control characters.',
    ],
    ['the name of the free plan', [{ name: 'Free' }], 'A plan for sale cannot be called “free”.'],
    ['another period', [{ period: 'Weekly' as never }], 'The period must be Monthly, Annually or Lifetime.'],
    [
      'the same name twice',
      [{ name: 'Éa' }, { name: 'éA', price: 2 }],
      'Two plans are called éA Monthly. Give one of them another name.',
    ],
    [
      'the same storage twice',
      [{}, { price: 2 }],
      'Two plans are called 100 GB Monthly. Give one of them another name.',
    ],
    [
      'a name that is the storage of another',
      [{}, { name: '100 gb', gigabytes: 5 }],
      'Two plans are called 100 gb Monthly. Give one of them another name.',
    ],
    [
      'two highlights',
      [{ highlight: true }, { name: 'B', highlight: true }],
      'Only one Monthly plan can be highlighted.',
    ],
    ['a plan twice', [{ planId: 1 }, { planId: 1, name: 'B' }], 'Plan 1 is in the list twice.'],
    ['a plan that is not for sale', [{ planId: 99 }], 'Plan 99 is not for sale. Leave planId out of new plans.'],
    [
      '21 plans of a period',
      Array.from({ length: 21 }, (_, index) => ({ name: `Plan ${index}` })),
      'There can be at most 20 plans per period.',
    ],
  ])('refuses %s', async (_what, lines, error) => {
    const list = lines.map((line): Line => ({ period: 'Monthly', gigabytes: 100, price: 1, ...line }))
    expect(await put(list)).toMatchObject({ status: 400, body: { error } })
    expect(await read()).toMatchObject({ isFromFile: true, revision: 0 })
  })

  it('accepts the largest list', async () => {
    const list = (['Monthly', 'Annually', 'Lifetime'] as const).flatMap((period) =>
      Array.from({ length: 20 }, (_, index) => {
        const name = `${'🐘'.repeat(18)}${index}`
        return { period, name, gigabytes: index + 1, price: 99_999.99, description: '🐘'.repeat(100) }
      }),
    )
    expect(await put(list)).toMatchObject({ status: 200, body: { revision: 1 } })
  })

  it('may leave nothing for sale', async () => {
    expect((await put([])).body).toMatchObject({ plans: [], isFromFile: false })
    expect((await app.visitor.call(listPlans, {})).body).toEqual({ Monthly: [], Annually: [], Lifetime: [] })
  })

  it('notes what changed in the audit log', async () => {
    const catalogue = await read()
    const [, second, third, ...rest] = editable(catalogue)
    const added = { period: 'Monthly' as const, name: 'Family', gigabytes: 1024, price: 7 }
    await put(
      [{ ...second, price: 5.5, highlight: false }, { ...third, highlight: true }, ...rest, added],
      catalogue.revision,
    )
    await put(editable(await read()).reverse())
    await admin.client.call(resetPlans, {})
    await admin.client.call(resetPlans, {})
    const { entries } = (await admin.client.call(listAuditLog, {})).body
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      [
        'plans.reset',
        {
          added: '100 GB Monthly ($1.99), 500 GB Monthly ($4.99)',
          changed: '2 TB Monthly ($9.99)',
          removed: 'Family Monthly (1 TB, $7.00), 500 GB Monthly ($5.50)',
        },
      ],
      ['plans.changed', {}],
      [
        'plans.changed',
        {
          added: 'Family Monthly (1 TB, $7.00)',
          changed: '500 GB Monthly ($4.99) to 500 GB Monthly ($5.50), 2 TB Monthly ($9.99)',
          removed: '100 GB Monthly ($1.99)',
        },
      ],
    ])
  })
})

describe('going back to the plans of the installation', () => {
  it('sells them under their ids, and keeps the edited ones for those who have them', async () => {
    const user = await app.createUser()
    const edited = await edit(7, { price: 89 })
    await give(user.id, first)
    expect(edited.body.revision).toBe(1)
    const { body } = await admin.client.call(resetPlans, {})
    expect(body).toMatchObject({ isFromFile: true, revision: 2 })
    expect(body.plans.map(({ planId }) => planId)).toEqual(plans.map(({ planId }) => planId))
    expect(body.former).toMatchObject([{ planId: first, price: 89, subscribers: 1 }])
    const next = await edit(7, { price: 88 })
    expect(next.body.plans[6]).toMatchObject({ planId: first + 1 })
  })
})
