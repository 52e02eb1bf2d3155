// Runs in Chromium. Takes jobs from page.ts one by one and reports how long each took. The file and its envelope are in the
// origin private file system, so they take no memory. The jobs `…InOneCall` do the same as the vault in the simplest way:
// they derive the key with PBKDF2 and pass the whole file to one call of WebCrypto.
import { decryptToFile, encryptingSource } from './door.js'

const MEBIBYTE = 1024 * 1024
const CHUNK = 5 * MEBIBYTE
const CONCURRENCY = 4
const PASSPHRASE = 'measured'

// The vault uses one worker per core, so the page sets the number of cores from its address.
const workers = Number(new URLSearchParams(location.search).get('workers'))
if (workers) Object.defineProperty(navigator, 'hardwareConcurrency', { value: workers })

const root = await navigator.storage.getDirectory()

const jobs = {
  /** Reloads the page. The new page reports that it is ready. */
  useWorkers(count) {
    location.search = `?workers=${count}`
    return new Promise(() => {})
  },
  /** Writes a file and its envelope. */
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
  /** Encrypts all chunks, in the order in which an upload reads them. */
  async encrypt() {
    const source = await openSource()
    let next = 0
    const takeInTurn = async () => {
      for (let start = next; start < source.size; start = next) {
        next += CHUNK
        await source.slice(start, Math.min(start + CHUNK, source.size))
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, takeInTurn))
  },
  async decrypt() {
    const { discard } = await decryptToFile(await readFile('envelope'), PASSPHRASE, { name: 'plain' })
    await discard()
  },
  async sealInOneCall() {
    const plain = await (await readFile('plain')).arrayBuffer()
    const key = await deriveInOneCall(new Uint8Array(16))
    await crypto.subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, plain)
  },
  /** Decrypts into a file that the browser could save. */
  async openInOneCall() {
    const file = new File([await openInMemory()], 'plain')
    await file.slice(-1).arrayBuffer()
  },
  /** Decrypts into the memory of the page. */
  openInMemory,
  /** Waits until garbage is collected and idle workers have ended. */
  rest: () => new Promise((resolve) => setTimeout(resolve, 15_000)),
}

async function openInMemory() {
  const envelope = await (await readFile('envelope')).arrayBuffer()
  const key = await deriveInOneCall(new Uint8Array(envelope, 0, 16))
  const iv = new Uint8Array(envelope, 16, 12)
  return crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, new Uint8Array(envelope, 28))
}

/** Derives the key as the vault does. */
async function deriveInOneCall(salt) {
  const typed = await crypto.subtle.importKey('raw', new TextEncoder().encode(PASSPHRASE), 'PBKDF2', false, [
    'deriveKey',
  ])
  const recipe = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: 100_000 }
  return crypto.subtle.deriveKey(recipe, typed, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
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

async function run({ name, input }) {
  const startedAt = performance.now()
  try {
    await jobs[name](input)
    return { seconds: (performance.now() - startedAt) / 1000 }
  } catch (error) {
    return { error: `${error?.stack ?? error} ${error?.cause ?? ''}` }
  }
}

const report = (result) => fetch('/done', { method: 'POST', body: JSON.stringify(result) })

if (workers) {
  const source = await openSource()
  // Start the workers first: their start is not part of the measurement.
  await Promise.all([0, 1, 2, 3].map((index) => source.slice(index * CHUNK, (index + 1) * CHUNK)))
  await report({ seconds: 0 })
}
while (true) {
  const job = await (await fetch('/job')).json()
  await report(await run(job))
}
