import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { describeNotice } from './describe-notice.tsx'

type Content = Pick<Parameters<typeof describeNotice>[0], 'kind' | 'data'>

const common = { id: '1', count: 1, createdAt: '', updatedAt: '', isRead: false }
const textOf = (content: Content, count = 1) => {
  const { sentence } = describeNotice({ ...common, ...content, count } as Parameters<typeof describeNotice>[0])
  return renderToStaticMarkup(sentence)
}

const GIGABYTE = 1024 ** 3
const storage = (percent: 80 | 100): Content => ({
  kind: 'storage',
  data: { percent, usedBytes: (percent / 10) * GIGABYTE, allocatedBytes: 10 * GIGABYTE },
})

it('says how full the storage is', () => {
  expect(textOf(storage(80))).toBe('Your storage is 80% full: 8.00 GB of 10.00 GB used.')
  expect(textOf(storage(100))).toBe('Your storage is full: 10.00 GB of 10.00 GB used.')
})

it('counts sign-ins and names the last address', () => {
  const signIn: Content = { kind: 'new_sign_in', data: { device: 'Firefox on Linux', ip: '192.0.2.1' } }
  expect(textOf(signIn)).toBe('New sign-in: <bdi>Firefox on Linux</bdi>, from <bdi>192.0.2.1</bdi>.')
  expect(textOf(signIn, 3)).toBe('3 new sign-ins: <bdi>Firefox on Linux</bdi>, the last from <bdi>192.0.2.1</bdi>.')
})

it('names what has changed, if it has a name', () => {
  expect(textOf({ kind: 'security_change', data: { change: 'app_password_created', name: 'مكتب' } })).toBe(
    'An app password was created: “<bdi>مكتب</bdi>”.',
  )
  expect(textOf({ kind: 'security_change', data: { change: 'two_factor_on' } })).toBe(
    'Two-factor sign-in was turned on.',
  )
})

it('leads to where something can be done', () => {
  const mass: Content = { kind: 'mass_deletion', data: { app: 'rclone', appPassword: 'Backup' } }
  expect(describeNotice({ ...common, ...mass } as Parameters<typeof describeNotice>[0]).to).toBe('/trash')
})
