// Runs in Chromium: takes jobs from page.ts, one after the other, and tells how long each took. The file that is encrypted,
// and its envelope, lie in the private file system, so that no memory is theirs.
import { decryptToFile, encryptingSource } from './door.js'

const MEBIBYTE = 1024 * 1024
const CHUNK = 5 * MEBIBYTE
const AT_ONCE = 4
const PASSPHRASE = 'measured'

const root = await navigator.storage.getDirectory()
let sealed

const jobs = {
  /** Writes a file, and its envelope. */
  async write(size) {
    const block = new Uint8Array(MEBIBYTE)
    for (let at = 0; at < block.length; at += 65_536) crypto.getRandomValues(block.subarray(at, at + 65_536))
    await writeFile('plain', async (write) => {
      for (let written = 0; written < size; written += 1) await write(block)
    })
    const source = await openSource()
    await writeFile('envelope', async (write) => {
      for (let start = 0; start < source.size; start += CHUNK) {
        await write(await source.slice(start, Math.min(start + CHUNK, source.size)))
      }
    })
  },
  /** All chunks, as an upload asks for them. */
  async encrypt() {
    const source = await openSource()
    let next = 0
    const takeInTurn = async () => {
      for (let start = next; start < source.size; start = next) {
        next += CHUNK
        await source.slice(start, Math.min(start + CHUNK, source.size))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, takeInTurn))
  },
  async decrypt() {
    const { discard } = await decryptToFile(await readFile('envelope'), PASSPHRASE, { name: 'plain' })
    await discard()
  },
  async sealInOneCall() {
    const plain = await (await readFile('plain')).arrayBuffer()
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    const recipe = { name: 'AES-GCM', iv: new Uint8Array(12) }
    sealed = { key, recipe, bytes: await crypto.subtle.encrypt(recipe, key, plain) }
  },
  /** Into memory, not into a file. */
  async openInOneCall() {
    const { key, recipe, bytes } = sealed
    sealed = undefined
    await (await readFile('envelope')).arrayBuffer() // of another key, but as long to read
    await crypto.subtle.decrypt(recipe, key, bytes)
  },
  /** Until what is not needed has been collected, and the idle workers are gone. */
  rest: () => new Promise((resolve) => setTimeout(resolve, 15_000)),
}

async function openSource() {
  return encryptingSource(await readFile('plain'), PASSPHRASE, { chunkSize: CHUNK })
}

async function readFile(name) {
  return (await root.getFileHandle(name)).getFile()
}

async function writeFile(name, work) {
  const writable = await (await root.getFileHandle(name, { create: true })).createWritable()
  await work((bytes) => writable.write(bytes))
  await writable.close()
}

async function run({ name, size }) {
  const startedAt = performance.now()
  try {
    await jobs[name](size)
    return { seconds: (performance.now() - startedAt) / 1000 }
  } catch (error) {
    return { error: String(error?.stack ?? error) }
  }
}

while (true) {
  const job = await (await fetch('/job')).json()
  await fetch('/done', { method: 'POST', body: JSON.stringify(await run(job)) })
}
