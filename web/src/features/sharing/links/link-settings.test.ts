import { GIGABYTE, MEBIBYTE } from '@alcove/contract/limits'
import type { Link } from '@alcove/contract/links'
import { expect, it } from 'vitest'
import { fieldsOf, type LinkFields, readFields } from './link-settings.ts'

const link: Link = {
  id: '0190a1c2-0000-7000-8000-000000000000',
  link: 'http://localhost/s/token',
  isFirst: false,
  label: 'For Ana',
  right: 'view',
  enabled: true,
  state: 'active',
  hasPassword: true,
  expiresAt: '2020-05-01T10:00:00.000Z',
  createdAt: '2020-01-01T00:00:00.000Z',
  downloadCount: 0,
  maxDownloads: 3,
  title: null,
  message: null,
  visitorName: 'none',
  folderPerVisitor: false,
  maxBytes: 1_500_000,
  maxFileBytes: null,
  maxFiles: null,
  fileTypes: [],
  receivedFiles: 0,
  receivedBytes: 0,
}

const edit = (changes: Partial<LinkFields>) => readFields({ ...fieldsOf(link), ...changes }, link)

it('sends nothing of a link that was not changed, also if it has expired', () => {
  expect(edit({})).toEqual({ settings: {} })
})

it('sends only what was changed', () => {
  expect(edit({ label: ' For Bea ', maxDownloads: '' })).toEqual({ settings: { label: 'For Bea', maxDownloads: null } })
})

it('keeps the password unless another one is typed, and removes it when the box is unticked', () => {
  expect(edit({ password: 'secret' })).toEqual({ settings: { password: 'secret' } })
  expect(edit({ hasPassword: false })).toEqual({ settings: { password: null } })
})

it('asks for the password of a link that gets one', () => {
  expect(readFields({ ...fieldsOf(undefined), hasPassword: true }, undefined)).toEqual({
    problems: { password: 'The password cannot be empty.' },
  })
})

it('removes the download limit of a link that no longer offers downloads', () => {
  expect(edit({ right: 'upload' })).toEqual({ settings: { right: 'upload', maxDownloads: null } })
})

it('reads sizes in both units and with a decimal comma', () => {
  const size = (value: string, unit: 'MB' | 'GB') => edit({ right: 'upload', maxFileBytes: { value, unit } })
  expect(size('500', 'MB')).toMatchObject({ settings: { maxFileBytes: 500 * MEBIBYTE } })
  expect(size('1,5', 'GB')).toMatchObject({ settings: { maxFileBytes: 1.5 * GIGABYTE } })
  for (const wrong of ['0', '-1', 'much', '1e30']) expect(size(wrong, 'GB')).toHaveProperty('problems.maxFileBytes')
})

it('reads file types with and without a dot', () => {
  expect(edit({ right: 'upload', fileTypes: '.PDF, jpg; *.png  pdf' })).toMatchObject({
    settings: { fileTypes: ['pdf', 'jpg', 'png'] },
  })
  expect(edit({ right: 'upload', fileTypes: 'image/*' })).toHaveProperty('problems.fileTypes')
})

it.each(['0', '1.5', '-2', 'x'])('rejects %j as a number of downloads', (maxDownloads) => {
  expect(edit({ maxDownloads })).toHaveProperty('problems.maxDownloads')
})

it('rejects a last day in the past only if it was changed', () => {
  expect(edit({ day: '2020-06-01' })).toEqual({ problems: { day: 'Choose today or a later day.' } })
  expect(edit({ day: '' })).toEqual({ settings: { expiresAt: null } })
})
