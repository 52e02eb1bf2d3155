import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram } from './run-program.ts'
import { type ServedAccount, serveAccount } from './served-account.ts'

let account: ServedAccount
beforeAll(async () => {
  account = await serveAccount()
})
afterAll(() => account.close())

it('restic over rclone: three backups, a full check, pruning and an identical restore', async () => {
  const { dir, davUrl, email, secret } = account
  const { output: obscured } = await runProgram('rclone', ['obscure', secret], { cwd: dir })
  const env = {
    RCLONE_CONFIG: join(dir, 'rclone.conf'),
    RCLONE_CONFIG_ALCOVE_TYPE: 'webdav',
    RCLONE_CONFIG_ALCOVE_URL: davUrl,
    RCLONE_CONFIG_ALCOVE_USER: email,
    RCLONE_CONFIG_ALCOVE_PASS: obscured.trim(),
    RCLONE_CONFIG_ALCOVE_VENDOR: 'owncloud',
    RESTIC_REPOSITORY: 'rclone:alcove:backups',
    RESTIC_PASSWORD: 'a good passphrase',
    RESTIC_CACHE_DIR: join(dir, 'cache'),
  }
  const restic = (...args: string[]) => runProgram('restic', args, { cwd: dir, env })
  const source = join(dir, 'source')
  await mkdir(source)
  await restic('init')
  for (let backup = 1; backup <= 3; backup++) {
    for (let file = 0; file < 200; file++) {
      await writeFile(join(source, `file ${backup} ${file}`), `${backup} ${file}\n`.repeat(2000))
    }
    if (backup > 1) await rm(join(source, `file ${backup - 1} 0`))
    await restic('backup', source)
  }
  expect((await restic('check', '--read-data')).output).toContain('no errors were found')
  await restic('forget', '--keep-last', '1', '--prune')
  expect((await restic('check', '--read-data')).output).toContain('no errors were found')
  await restic('restore', 'latest', '--target', join(dir, 'restored'))
  const { output } = await runProgram('diff', ['-r', source, join(dir, 'restored', source)], { cwd: dir })
  expect(output).toBe('')
})
