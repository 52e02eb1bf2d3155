import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from './run-program.ts'
import { type ServedAccount, serveAccount } from './served-account.ts'

let account: ServedAccount
beforeAll(async () => {
  account = await serveAccount()
})
afterAll(() => account.close())

it('cadaver makes folders, sends, copies, moves, locks and deletes', async () => {
  const { dir, davUrl, email, secret } = account
  await writeFile(join(dir, '.netrc'), `machine 127.0.0.1 login ${email} password ${secret}\n`, { mode: 0o600 })
  await writeFile(join(dir, 'note.txt'), 'written by cadaver\n')
  const input = [
    ...['mkcol one', 'cd one', 'put note.txt', 'copy note.txt copy.txt', 'move copy.txt moved.txt', 'lock note.txt'],
    ...[
      'unlock note.txt',
      'propset note.txt colour blue',
      'propget note.txt colour',
      'cat moved.txt',
      'delete moved.txt',
    ],
    ...['ls', 'quit', ''],
  ].join('\n')
  const { output } = await runProgram('cadaver', [davUrl], { cwd: dir, input })
  expect(output).not.toMatch(/failed|error/i)
  expect(output).toContain('written by cadaver')
  expect(output).toContain('Value of colour is: blue')
  expect(output).not.toMatch(/moved\.txt\s+\d/)
})

describe('curl', () => {
  const curl = async (...args: string[]) => {
    const { dir, email, secret } = account
    return (await runProgram('curl', ['-sS', '-u', `${email}:${secret}`, ...args], { cwd: dir })).output
  }

  it('sends a file, resumes its download and reads a range', async () => {
    const { dir, davUrl } = account
    const sent = 'x'.repeat(1_000_000)
    await writeFile(join(dir, 'large.txt'), `start${sent}end`)
    expect(await curl('-T', 'large.txt', '-o', '/dev/null', '-w', '%{http_code}', `${davUrl}large.txt`)).toBe('201')
    await writeFile(join(dir, 'partial.txt'), `start${sent.slice(0, 1000)}`)
    await curl('-C', '-', '-o', 'partial.txt', `${davUrl}large.txt`)
    expect((await runProgram('cmp', ['large.txt', 'partial.txt'], { cwd: dir })).code).toBe(0)
    expect(await curl('-r', '-3', `${davUrl}large.txt`)).toBe('end')
  })

  it('is refused with the account’s own password', async () => {
    const { dir, davUrl, email } = account
    const args = ['-sS', '-u', `${email}:Correct-horse-7`, '-o', '/dev/null', '-w', '%{http_code}', davUrl]
    expect((await runProgram('curl', args, { cwd: dir })).output).toBe('401')
  })
})

it('duplicity backs up twice, verifies and restores', async () => {
  const { dir, davUrl, email, secret } = account
  const url = new URL(`${davUrl}duplicity`)
  url.username = email
  url.password = secret
  const target = url.href.replace(/^http/, 'webdav')
  const env = { PASSPHRASE: 'a good passphrase' }
  await runProgram('mkdir', ['-p', 'papers'], { cwd: dir })
  const duplicity = (...args: string[]) => runProgram('duplicity', args, { cwd: dir, env })
  for (const name of ['first', 'second']) {
    await writeFile(join(dir, 'papers', name), name.repeat(10_000))
    await duplicity('--no-encryption', 'papers', target)
  }
  await duplicity('verify', '--no-encryption', '--compare-data', target, 'papers')
  await duplicity('restore', '--no-encryption', target, 'restored')
  expect((await runProgram('diff', ['-r', 'papers', 'restored'], { cwd: dir })).output).toBe('')
})
