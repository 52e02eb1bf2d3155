#!/usr/bin/env node
// Opens a file of an Alcove vault without Alcove, however large it is. It needs Node (18 or newer) and nothing else:
//
//   node decrypt.mjs ENCRYPTED-FILE OUTPUT-FILE          asks for the passphrase
//   node decrypt.mjs ENCRYPTED-FILE OUTPUT-FILE < FILE   reads it from the first line of a file
//   node decrypt.mjs ENCRYPTED-FILE OUTPUT-FILE --key    asks for the key of this file alone, from its link (#key=…)
//
// An encrypted file is: salt (16 bytes), IV (12), ciphertext, tag (16). The key has 256 bits: PBKDF2 with SHA-256, 100,000
// rounds, of the passphrase in UTF-8 with that salt. The cipher is AES-256-GCM with that IV, without additional data.
// The output appears when the tag was right to the last byte, and not before.

import { createDecipheriv, pbkdf2Sync } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { pipeline } from 'node:stream/promises'

const HEADER = 28
const TAG = 16

const [input, output, option] = process.argv.slice(2)
if (!input || !output || (option && option !== '--key')) {
  fail('Usage: node decrypt.mjs ENCRYPTED-FILE OUTPUT-FILE [--key]')
}
if (
  await access(output).then(
    () => true,
    () => false,
  )
)
  fail(`${output} is there already.`)
const { header, tag, size } = await readEnds(input)
const secret = await ask(option === '--key' ? 'Key: ' : 'Passphrase: ')
const partial = `${output}.part`
try {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, header.subarray(0, 16)), header.subarray(16), {
    authTagLength: TAG,
  })
  decipher.setAuthTag(tag)
  await pipeline(ciphertext(input, size), decipher, createWriteStream(partial, { flags: 'wx' }))
  await rename(partial, output)
  console.log(`${output}: decrypted, and every byte is as it was encrypted.`)
} catch (error) {
  if (error.code !== 'EEXIST') await rm(partial, { force: true })
  fail(error.code ? error.message : 'The passphrase is wrong, or the file is damaged.')
}

async function readEnds(path) {
  const file = await open(path).catch((error) => fail(error.message))
  const { size } = await file.stat()
  if (size < HEADER + TAG) fail('This is not an encrypted file, or a part of it is missing.')
  const ends = { header: Buffer.alloc(HEADER), tag: Buffer.alloc(TAG), size }
  await file.read(ends.header, 0, HEADER, 0)
  await file.read(ends.tag, 0, TAG, size - TAG)
  await file.close()
  return ends
}

function ciphertext(path, size) {
  if (size === HEADER + TAG) return [] // an empty file
  return createReadStream(path, { start: HEADER, end: size - TAG - 1, highWaterMark: 1 << 20 })
}

function keyOf(secret, salt) {
  if (option !== '--key') return pbkdf2Sync(secret, salt, 100_000, 32, 'sha256')
  const key = Buffer.from(secret.replace(/^.*key=/, ''), 'base64url')
  return key.length === 32 ? key : fail('This is not a valid key.')
}

async function ask(question) {
  const lines = createInterface({ input: process.stdin, output: process.stdin.isTTY ? process.stdout : undefined })
  const line = process.stdin.isTTY ? await lines.question(question) : (await lines[Symbol.asyncIterator]().next()).value
  lines.close()
  return line ?? ''
}

function fail(reason) {
  console.error(reason)
  process.exit(1)
}
