import { updateNoticeSettings } from '@alcove/contract/notices'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readSubjects } from '../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'
import { noticeMailJob, queueNoticeMails } from './notice-mails.ts'
import { MAIL_DELAY, notify } from './notify.ts'

const HOUR = 3_600_000
const GIGABYTE = 1024 ** 3

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

const giveStorage = (percent: 80 | 95 | 100, userId = user.id) =>
  app.services.db.transaction().execute((tx) =>
    notify(app.services, tx, userId, {
      kind: 'storage',
      data: { percent, usedBytes: (percent * GIGABYTE) / 10, allocatedBytes: 10 * GIGABYTE },
    }),
  )
const send = async (services = app.services) => {
  await queueNoticeMails(services)
  await services.jobs.runDue()
}
const subjects = () => readSubjects(app, user.email)
const mails = async () => (await app.readMails()).filter((mail) => mail.includes(`\nTo: ${user.email}\n`))

it('mails a notice after five minutes, with the used space and where to turn such mails off', async () => {
  await giveStorage(95)
  app.clock.advance(MAIL_DELAY - 1)
  await send()
  expect(await subjects()).toEqual([])
  app.clock.advance(1)
  await send()
  expect(await subjects()).toEqual(['Your Alcove storage is 95% full'])
  const [mail] = await mails()
  expect(mail).toContain('You have used 9.50 GB of 10.00 GB.')
  expect(mail?.replaceAll('\n', ' ')).toContain('turn them off under “Notices” at')
})

it('mails what has happened since in one mail, once', async () => {
  await giveStorage(80)
  app.clock.advance(HOUR)
  await giveStorage(100)
  await send()
  await send()
  app.clock.advance(HOUR)
  await send()
  expect(await subjects()).toEqual(['2 notices from Alcove'])
  const [mail] = await mails()
  expect(mail).toContain('8.00 GB of 10.00 GB')
  expect(mail).toContain('10.00 GB of 10.00 GB')
})

it('mails again if an unread notice counts more after its mail', async () => {
  await giveStorage(80)
  app.clock.advance(MAIL_DELAY)
  await send()
  await giveStorage(95)
  app.clock.advance(MAIL_DELAY)
  await send()
  expect(await subjects()).toEqual(['Your Alcove storage is 80% full', 'Your Alcove storage is 95% full'])
})

it('queues one mail if two servers look for due ones at the same time', async () => {
  await giveStorage(80)
  app.clock.advance(MAIL_DELAY)
  await Promise.all([queueNoticeMails(app.services), queueNoticeMails(app.services)])
  const queued = await app.services.db
    .selectFrom('jobs')
    .select('payload')
    .where('kind', '=', noticeMailJob.kind)
    .execute()
  expect(queued.filter(({ payload }) => payload.includes(user.id))).toHaveLength(1)
  await app.services.jobs.runDue()
  expect(await subjects()).toHaveLength(1)
})

it('keeps a queued mail while it can’t be sent', async () => {
  await giveStorage(80)
  app.clock.advance(MAIL_DELAY)
  await queueNoticeMails(app.services)
  const { mailer } = app.services
  const original = mailer.send
  mailer.send = () => Promise.reject(new Error('the mail server is away'))
  await app.services.jobs.runDue()
  mailer.send = original
  expect(await subjects()).toEqual([])
  app.clock.advance(HOUR)
  await app.services.jobs.runDue()
  expect(await subjects()).toHaveLength(1)
})

it('mails nothing of a kind that is turned off, even if it was turned off while the mail waited', async () => {
  await giveStorage(80)
  await user.client.call(updateNoticeSettings, { mail: { storage: false } })
  app.clock.advance(MAIL_DELAY)
  await send()
  await user.client.call(updateNoticeSettings, { mail: { storage: true } })
  app.clock.advance(HOUR)
  await send()
  expect(await subjects()).toEqual([])
})

it('mails nothing to an address that was never confirmed, nor to a deleted account', async () => {
  await giveStorage(80)
  app.clock.advance(MAIL_DELAY)
  await app.services.db.updateTable('users').set({ confirmed_email: null }).where('id', '=', user.id).execute()
  await send()
  expect(await subjects()).toEqual([])
})
