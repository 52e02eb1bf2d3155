import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { encryptingSource } from './encrypting-source.ts'
import { exportKey } from './file-key.ts'
import { randomBytes } from './testing/one-shot.ts'

const PROGRAM = join(import.meta.dirname, '../../../../../docs/vault/decrypt.mjs')
const PASSPHRASE = 'Käse & Brot'
const plain = randomBytes(100_000)

let folder: string
let encrypted: string
let output: string
let envelope: Uint8Array<ArrayBuffer>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alcove-vault-'))
  encrypted = join(folder, 'a.enc')
  output = join(folder, 'a.bin')
  const source = encryptingSource(new File([plain], 'a.bin'), PASSPHRASE, { chunkSize: 1 << 20 })
  envelope = await source.slice(0, source.size)
  await writeFile(encrypted, envelope)
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs the program with a secret on its input. */
async function decrypt(secret: string, ...options: string[]) {
  const program = spawn(process.execPath, [PROGRAM, encrypted, output, ...options])
  program.stdin.end(`${secret}\n`)
  const [said, code] = await Promise.all([
    text(program.stderr),
    new Promise<number | null>((resolve) => program.on('close', resolve)),
  ])
  return { code, said }
}

describe('program that decrypts files without Alcove', () => {
  test('decrypts a file with the passphrase and with the key of the file', async () => {
    expect(await decrypt(PASSPHRASE)).toEqual({ code: 0, said: '' })
    expect(Buffer.compare(await readFile(output), plain)).toBe(0)
    await rm(output)
    const key = await exportKey(PASSPHRASE, envelope.slice(0, 16))
    expect(await decrypt(`https://alcove.example/s/token#key=${key}`, '--key')).toEqual({ code: 0, said: '' })
    expect(Buffer.compare(await readFile(output), plain)).toBe(0)
    expect((await readdir(folder)).sort()).toEqual(['a.bin', 'a.enc'])
  })

  test('decrypts an empty file', async () => {
    const source = encryptingSource(new File([], 'empty'), PASSPHRASE, { chunkSize: 64 })
    await writeFile(encrypted, await source.slice(0, 44))
    expect(await decrypt(PASSPHRASE)).toEqual({ code: 0, said: '' })
    expect((await readFile(output)).length).toBe(0)
  })

  test.each([
    ['a wrong passphrase', 'wrong', () => envelope, /passphrase is wrong, or the file is damaged/],
    ['a changed byte', PASSPHRASE, () => envelope.map((byte, at) => (at === 50_000 ? byte ^ 1 : byte)), /damaged/],
    ['a file that is too short', PASSPHRASE, () => envelope.subarray(0, 43), /a part of it is missing/],
    ['a file without bytes', PASSPHRASE, () => new Uint8Array(), /a part of it is missing/],
  ])('leaves no file after %s', async (_what, passphrase, bytes, reason) => {
    await writeFile(encrypted, bytes())
    const { code, said } = await decrypt(passphrase)
    expect(code).toBe(1)
    expect(said).toMatch(reason)
    expect(await readdir(folder)).toEqual(['a.enc'])
  })

  test('does not overwrite a file', async () => {
    await writeFile(output, 'precious')
    expect(await decrypt(PASSPHRASE)).toMatchObject({ code: 1 })
    expect(await readFile(output, 'utf8')).toBe('precious')
  })
})
