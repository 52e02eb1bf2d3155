import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noSettings } from '../testing/clients/operator.ts'
import { runCommand } from './commands.ts'

async function printCompletion(shell: string): Promise<string> {
  const lines: string[] = []
  const code = await runCommand(['completion', shell], {
    print: (line) => lines.push(line),
    printError: (line) => lines.push(line),
    settings: noSettings,
    withOperator: () => Promise.reject(new Error('The database is opened.')),
  })
  expect(code).toBe(0)
  return lines.join('\n')
}

describe('the completion in bash', () => {
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'alcove-completion-'))
    mkdirSync(join(folder, 'two words'))
    writeFileSync(join(folder, 'new.env'), '')
    writeFileSync(join(folder, 'completion'), await printCompletion('bash'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const complete = (...words: string[]) => {
    const script = `source ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _alcove 2>/dev/null; printf "%s\\n" "\${COMPREPLY[@]}"`
    const options = { cwd: folder, encoding: 'utf8' } as const
    return execFileSync('bash', ['-c', script, 'bash', 'alcove', ...words], options)
      .split('\n')
      .filter(Boolean)
  }

  it('offers commands, the words of groups, options and values', () => {
    expect(complete('')).toEqual(expect.arrayContaining(['user', 'backup', 'help']))
    expect(complete('us')).toEqual(['user'])
    expect(complete('user', 'set-r')).toEqual(['set-role'])
    expect(complete('config', '--')).toEqual(['--changed'])
    expect(complete('user', 'set-role', 'mara@example.com', '')).toEqual(['admin', 'user'])
    expect(complete('user', '')).toEqual(expect.arrayContaining(['list', 'set-plan', 'delete']))
    expect(complete('help', 'user', 'activ')).toEqual(['activate'])
    expect(complete('user', 'list', '')).toEqual([])
    expect(complete('nonsense', '')).toEqual([])
  })

  it('offers folders or files where a command takes them', () => {
    expect(complete('backup', '')).toEqual(['two words'])
    expect(complete('migrate-to', 'n')).toEqual(['new.env'])
    expect(complete('verify', '')).toEqual([])
  })
})

it.each([
  ['zsh', /^#compdef alcove\n/, "'set-plan:Give a user a plan without payment; 0 revokes it'"],
  ['fish', /^# Completes/, `-a 'set-plan' -d 'Give a user a plan without payment; 0 revokes it'`],
])(
  'the completion in %s describes commands, and the shell accepts it if it is installed',
  async (shell, head, line) => {
    const script = await printCompletion(shell)
    expect(script).toMatch(head)
    expect(script).toContain(line)
    const { error, status, stderr } = spawnSync(shell, ['-n', '/dev/stdin'], { input: script, encoding: 'utf8' })
    if (error === undefined) expect([status, stderr]).toEqual([0, ''])
  },
)

it('completion refuses other shells and names those that it knows', async () => {
  const errors: string[] = []
  const code = await runCommand(['completion', 'constructor'], {
    print: () => {},
    printError: (line) => errors.push(line),
    settings: noSettings,
    withOperator: () => Promise.reject(new Error('The database is opened.')),
  })
  expect(code).toBe(2)
  expect(errors[0]).toBe('There is no completion for "constructor". SHELL is bash, zsh or fish.')
})
