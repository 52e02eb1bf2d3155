import { randomUUID } from 'node:crypto'
import { getStorage } from '@alcove/contract/files'
import { MAX_NOTICES, NOTICE_TTL, RECENT_SIGN_IN_WINDOW } from '@alcove/contract/limits'
import {
  getNoticeSettings,
  listNotices,
  type MailSettings,
  noticeKinds,
  readNotices,
  updateNoticeSettings,
} from '@alcove/contract/notices'
import { describe, expect, it } from 'vitest'
import { addAppPassword } from '../../testing/factories/app-passwords.ts'
import { app, setUpDrive, user } from '../../testing/factories/drive.ts'
import { addNotice } from '../../testing/factories/notices.ts'
import { type NewNotice, notify } from './notify.ts'
import { sweepNotices } from './sweep-notices.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

setUpDrive({ sessionTtl: 365 * DAY, sessionMaxAge: 365 * DAY })

const CHANGE: NewNotice = { kind: 'security_change', data: { change: 'two_factor_on' } }
const signIn = (device = 'Firefox on Linux', ip = '192.0.2.1'): NewNotice => ({
  kind: 'new_sign_in',
  data: { device, ip },
})
const give = (notice: NewNotice, userId = user.id) => addNotice(app, { id: userId }, notice)
const list = async (input: { limit?: number; cursor?: string } = {}) =>
  (await user.client.call(listNotices, input)).body
const unread = async () => (await user.client.call(getStorage, {})).body.unread_notices

describe('listing notices', () => {
  it('returns them newest first with the number of unread ones', async () => {
    await give(CHANGE)
    app.clock.advance(MINUTE)
    await give(signIn())
    const now = new Date(app.clock.now()).toISOString()
    expect(await list()).toEqual({
      notices: [
        {
          ...{ id: expect.any(String), kind: 'new_sign_in', data: { device: 'Firefox on Linux', ip: '192.0.2.1' } },
          ...{ count: 1, createdAt: now, updatedAt: now, isRead: false },
        },
        expect.objectContaining({ kind: 'security_change', data: { change: 'two_factor_on' } }),
      ],
      unread: 2,
      nextCursor: null,
    })
    expect(await unread()).toBe(2)
  })

  it('returns each notice once over all pages, also those of the same moment', async () => {
    for (let number = 0; number < 7; number++) {
      if (number % 3 === 0) app.clock.advance(1)
      await give(CHANGE)
    }
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await list({ limit: 2, ...(cursor && { cursor }) })
      ids.push(...page.notices.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(ids).toHaveLength(7)
    expect(new Set(ids).size).toBe(7)
    expect(ids).toEqual((await list()).notices.map(({ id }) => id))
  })

  it('shows no notice of another user', async () => {
    const other = await app.createUser()
    await give(CHANGE, other.id)
    expect(await list()).toEqual({ notices: [], unread: 0, nextCursor: null })
    expect(await unread()).toBe(0)
  })

  it('leaves out kinds that only a newer version knows', async () => {
    await give(CHANGE)
    await app.services.db.updateTable('notices').set({ kind: 'newer' }).where('user_id', '=', user.id).execute()
    expect((await list()).notices).toEqual([])
  })

  it.each([{ limit: 0 }, { limit: 101 }, { limit: 'x' }, { cursor: 'x' }, { cursor: `1.${'x'.repeat(36)}` }])(
    'rejects %o with a sentence',
    async (input) => {
      const { status, body } = await user.client.raw(listNotices, input)
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'malformed' })
      expect(body.error).toMatch(/limit|cursor/)
    },
  )

  it('is refused to app passwords, which don’t see the number of unread notices either', async () => {
    const { client } = await addAppPassword(app, user)
    expect((await client.raw(listNotices, {})).status).toBe(403)
    expect((await client.call(getStorage, {})).body.unread_notices).toBeUndefined()
  })
})

describe('similar notices', () => {
  it('become one while they are unread and an hour lasts, which counts them and has the data of the last', async () => {
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      await give(signIn('Firefox on Linux', ip))
      app.clock.advance(MINUTE)
    }
    await give(signIn('Safari on iPhone'))
    expect((await list()).notices).toMatchObject([
      { count: 1, data: { device: 'Safari on iPhone' } },
      { count: 3, data: { device: 'Firefox on Linux', ip: '192.0.2.3' } },
    ])
    app.clock.advance(HOUR)
    await give(signIn())
    expect((await list()).notices).toHaveLength(3)
  })

  it('become one, with every event counted, if concurrent transactions give them', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, number) => give({ ...signIn(), count: number + 1 })))
    expect((await list()).notices).toMatchObject([{ count: 210 }])
  })

  it('begin a new notice once the first was read', async () => {
    await give(signIn())
    await user.client.call(readNotices, { upToId: (await list()).notices[0]?.id })
    await give(signIn())
    expect((await list()).notices).toMatchObject([
      { isRead: false, count: 1 },
      { isRead: true, count: 1 },
    ])
  })

  it('lose no event that arrives while they are read', async () => {
    await give(signIn())
    const { notices } = await list()
    await Promise.all([
      ...Array.from({ length: 10 }, () => give(signIn())),
      user.client.call(readNotices, { noticeIds: notices.map(({ id }) => id) }),
    ])
    const counts = (await list()).notices.map(({ count }) => count)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(11)
  })

  it('of different users stay apart', async () => {
    const other = await app.createUser()
    await Promise.all([give(signIn()), give(signIn(), other.id)])
    expect((await list()).notices).toMatchObject([{ count: 1 }])
  })

  it('are gone if the transaction of what happened fails', async () => {
    await expect(
      app.services.db.transaction().execute(async (tx) => {
        await notify(app.services, tx, user.id, signIn())
        throw new Error('the change failed')
      }),
    ).rejects.toThrow('the change failed')
    expect((await list()).notices).toEqual([])
  })
})

describe('marking notices as read', () => {
  const threeIds = async () => {
    for (let number = 0; number < 3; number++) {
      await give(CHANGE)
      app.clock.advance(1)
    }
    return (await list()).notices.map(({ id }) => id) as [string, string, string]
  }
  const readStates = async () => (await list()).notices.map(({ isRead }) => isRead)

  it('marks some, and repeating it changes nothing', async () => {
    const [newest, , oldest] = await threeIds()
    expect((await user.client.call(readNotices, { noticeIds: [newest, oldest] })).body).toEqual({ unread: 1 })
    const rows = () =>
      app.services.db.selectFrom('notices').selectAll().where('user_id', '=', user.id).orderBy('id').execute()
    const before = await rows()
    app.clock.advance(MINUTE)
    expect((await user.client.call(readNotices, { noticeIds: [newest, oldest, newest] })).body).toEqual({ unread: 1 })
    expect(await rows()).toEqual(before)
  })

  it('marks one and all older ones, but none that arrived later', async () => {
    const [newest, middle] = await threeIds()
    expect((await user.client.call(readNotices, { upToId: middle })).body).toEqual({ unread: 1 })
    expect(await readStates()).toEqual([false, true, true])
    await give(CHANGE)
    await user.client.call(readNotices, { upToId: newest })
    expect(await readStates()).toEqual([false, true, true, true])
    expect(await unread()).toBe(1)
  })

  it('marks all or none: an unknown id and one of another user are not found', async () => {
    const [newest] = await threeIds()
    const other = await app.createUser()
    await give(CHANGE, other.id)
    const foreign = (await other.client.call(listNotices, {})).body.notices[0]?.id as string
    for (const id of [randomUUID(), foreign]) {
      expect((await user.client.call(readNotices, { noticeIds: [newest, id] })).status).toBe(404)
      expect((await user.client.call(readNotices, { upToId: id })).status).toBe(404)
    }
    expect(await readStates()).toEqual([false, false, false])
    expect((await other.client.call(listNotices, {})).body.unread).toBe(1)
  })

  it.each([{}, { noticeIds: [] }, { noticeIds: ['x'] }, { noticeIds: [randomUUID()], upToId: randomUUID() }])(
    'rejects %o',
    async (input) => {
      expect((await user.client.raw(readNotices, input)).status).toBe(400)
    },
  )
})

describe('the settings for mails', () => {
  it('are on at first and change one by one', async () => {
    const on = Object.fromEntries(noticeKinds.map((kind) => [kind, true])) as MailSettings
    expect((await user.client.call(getNoticeSettings, {})).body).toEqual({ mail: on })
    const change = (mail: Partial<typeof on>) => user.client.call(updateNoticeSettings, { mail })
    expect((await change({ storage: false })).body).toEqual({ mail: { ...on, storage: false } })
    expect((await change({ new_sign_in: false })).body).toEqual({ mail: { ...on, storage: false, new_sign_in: false } })
    expect((await change({ storage: true })).body).toEqual({ mail: { ...on, new_sign_in: false } })
    expect((await change({})).body).toEqual({ mail: { ...on, new_sign_in: false } })
    const other = await app.createUser()
    expect((await other.client.call(getNoticeSettings, {})).body).toEqual({ mail: on })
  })

  it('need a recent sign-in only to turn off mails about security', async () => {
    app.clock.advance(RECENT_SIGN_IN_WINDOW)
    const change = async (mail: object) => (await user.client.raw(updateNoticeSettings, { mail })).body.code
    expect(await change({ storage: false })).toBeUndefined()
    for (const kind of ['mass_deletion', 'new_sign_in', 'security_change']) {
      expect(await change({ [kind]: false })).toBe('reauthentication_required')
      expect(await change({ [kind]: true })).toBeUndefined()
    }
  })

  it('name the kinds if one is unknown', async () => {
    const { status, body } = await user.client.raw(updateNoticeSettings, { mail: { birthday: true } })
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: `mail can have: ${noticeKinds.join(', ')}.`,
    })
  })
})

describe('removing notices', () => {
  const add = (count: number) =>
    app.services.db
      .insertInto('notices')
      .values(
        Array.from({ length: count }, (_, number) => ({
          ...{ id: randomUUID(), user_id: user.id, kind: 'security_change', data: '{"change":"two_factor_on"}' },
          ...{ count: 1, bundle: null, created_at: app.clock.now() + number, updated_at: app.clock.now() + number },
          ...{ read_at: null, mail_due_at: null, mail_count: 0 },
        })),
      )
      .execute()
  const count = async () => {
    const { notices } = await app.services.db
      .selectFrom('notices')
      .select((eb) => eb.fn.countAll().as('notices'))
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    return Number(notices)
  }

  it('deletes those that are 90 days old', async () => {
    await give(CHANGE)
    app.clock.advance(NOTICE_TTL - 1)
    await sweepNotices(app.services)
    expect(await count()).toBe(1)
    app.clock.advance(1)
    await sweepNotices(app.services)
    expect(await count()).toBe(0)
  })

  it(`keeps the newest ${MAX_NOTICES} of each user`, async () => {
    const other = await app.createUser()
    await give(CHANGE, other.id)
    await add(MAX_NOTICES + 20)
    const { notices } = await list({ limit: 100 })
    await sweepNotices(app.services)
    expect(await count()).toBe(MAX_NOTICES)
    expect((await list({ limit: 100 })).notices).toEqual(notices)
    expect((await other.client.call(listNotices, {})).body.notices).toHaveLength(1)
  })
})
