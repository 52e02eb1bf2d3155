import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listVersions } from '@alcove/contract/versions'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram } from './run-program.ts'
import { type ServedAccount, serveAccount } from './served-account.ts'

let account: ServedAccount
beforeAll(async () => {
  account = await serveAccount()
})
afterAll(() => account.close())

/**
 * Runs commands in a session of its own, in which the drive is mounted as GNOME Files mounts it. `$drive` is its address. Stops at the
 * first command that fails.
 */
async function inSession(...commands: string[]): Promise<string> {
  const { dir, davUrl, email, secret } = account
  const url = new URL(davUrl)
  const script = ['set -e', `printf '%s\\n' "$password" | gio mount "$drive"`, 'echo mounted', ...commands].join('\n')
  const env = {
    drive: `dav://${encodeURIComponent(email)}@${url.host}/dav`,
    password: secret,
    XDG_RUNTIME_DIR: dir,
    GVFS_DISABLE_FUSE: '1',
  }
  const { output } = await runProgram('dbus-run-session', ['--', 'sh', '-c', script], { cwd: dir, env })
  return output.slice(output.indexOf('mounted'))
}

it('GNOME Files mounts the drive, makes a folder, sends, receives, copies, renames, moves and deletes', async () => {
  const film = randomBytes(3_000_000)
  await writeFile(join(account.dir, 'film.bin'), film)
  const output = await inSession(
    'trip="$drive/Ferien 2026 ☀"',
    'gio mkdir "$trip"',
    'gio copy film.bin "$trip/film.bin"',
    'gio copy "$trip/film.bin" back.bin',
    'gio copy "$trip/film.bin" "$drive/copy.bin"',
    'gio rename "$drive/copy.bin" "another name.bin"',
    'gio move "$drive/another name.bin" "$trip/moved.bin"',
    'gio copy "$trip/moved.bin" "$trip/deleted.bin"',
    'gio remove "$trip/deleted.bin"',
    'gio list "$drive"',
    'gio list -l "$trip"',
    'gio info -f "$drive"',
  )
  expect((await readFile(join(account.dir, 'back.bin'))).equals(film)).toBe(true)
  expect(output).toMatch(/^Ferien 2026 ☀$/m)
  expect(output).not.toMatch(/^(copy|another name)\.bin/m)
  expect(output).toMatch(/^film\.bin\t3000000\t\(regular\)$/m)
  expect(output).toMatch(/^moved\.bin\t3000000\t\(regular\)$/m)
  expect(output).not.toMatch(/^deleted\.bin/m)
  expect(output).toMatch(/filesystem::used: 9000000/)
})

it('saving a file in a GNOME app keeps its old bytes, and is refused if somebody else has changed it', async () => {
  const { id } = await account.client.upload('note.txt', 'first')
  const output = await inSession(
    'seen=$(gio info -a etag::value "$drive/note.txt" | sed -n "s/.*etag::value: //p")',
    'printf second | gio save --etag="$seen" "$drive/note.txt"',
    'if printf third | gio save --etag="$seen" "$drive/note.txt"; then echo overwritten; else echo refused; fi',
    'gio cat "$drive/note.txt"',
  )
  expect(output).toMatch(/refused\s*second/)
  expect((await account.client.call(listVersions, { id })).body.versions).toHaveLength(1)
})
