import { expect, it } from 'vitest'
import { resetMail } from '../../modules/accounts/letters.ts'
import type { Mail } from './mailer.ts'
import { formatMail, parseMail } from './outbox.ts'

const mail = resetMail({ to: 'ann@example.com', publicUrl: 'http://localhost:5100', token: 'a-token_1' })
const format = (changes: Partial<Mail>, from = 'help@example.com') =>
  formatMail({ ...mail, ...changes }, from, new Date(0))
const headOf = (file: string) => file.slice(0, file.indexOf('\n\n'))

it('parses a mail that it has formatted', () => {
  const text = 'One.\n\nhttp://x/?a=1&b=2\n\nÜber ¿? --x\n'
  expect(parseMail(format({ text, html: '<p>Ü</p>\n' }))).toEqual({
    to: 'ann@example.com',
    subject: 'Reset your Alcove password',
    text: 'One.\n\nhttp://x/?a=1&b=2\n\nÜber ¿? --x',
    html: '<p>Ü</p>',
    date: 'Thu, 01 Jan 1970 00:00:00 GMT',
  })
})

it('writes the From, Auto-Submitted and MIME-Version headers and a unique Message-ID', () => {
  const lines = headOf(format({})).split('\n')
  expect(lines).toContain('From: Alcove <help@example.com>')
  expect(lines).toContain('Auto-Submitted: auto-generated')
  expect(lines).toContain('MIME-Version: 1.0')
  const ids = [format({}), format({})].map((file) => /^Message-ID: (<[\w-]+@example\.com>)$/m.exec(headOf(file))?.[1])
  expect(ids[0]).toBeTruthy()
  expect(ids[0]).not.toBe(ids[1])
})

it('encodes a subject with any characters in ASCII and in short lines', () => {
  const subjects = ['Quittung für 2 TB – jährlich', '家'.repeat(60), '👩‍👩‍👧'.repeat(20), '=?utf-8?B?QQ==?=', 'x =?= y']
  for (const subject of subjects) {
    const file = format({ subject })
    expect(headOf(file)).toMatch(/^[\x20-\x7e\n]*$/)
    for (const line of headOf(file).split('\n')) expect(line.length).toBeLessThan(90)
    expect(parseMail(file).subject).toBe(subject)
  }
})

it('keeps the content of a mail from ending the headers or a part', () => {
  const first = format({})
  const boundary = /boundary="(.*)"/.exec(first)?.[1]
  const text = `one\n--${boundary}\n--=_alcove_part\n\ntwo`
  const file = format(
    { text, to: 'ann@example.com\nBcc: x@example.com', subject: 'a\r\nBcc: b' },
    'h@x.example\nX-Y: z',
  )
  expect(parseMail(file)).toMatchObject({ text, html: mail.html.trimEnd(), subject: 'a Bcc: b' })
  expect(headOf(file)).not.toMatch(/^(Bcc|X-Y):/m)
})
