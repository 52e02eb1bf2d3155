import { createHash, randomFillSync } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { MEBIBYTE } from '@alcove/contract/limits'
import type { Page } from './page.ts'

/** Writes a file of random bytes, and returns its SHA-256. */
export async function writeRandomFile(path: string, size: number): Promise<string> {
  const hash = createHash('sha256')
  const block = Buffer.alloc(MEBIBYTE)
  const file = await open(path, 'w')
  for (let at = 0; at < size; at += block.length) {
    const piece = randomFillSync(block).subarray(0, size - at)
    hash.update(piece)
    await file.writeFile(piece)
  }
  await file.close()
  return hash.digest('hex')
}

/** Returns the SHA-256 of a file. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: MEBIBYTE }), hash)
  return hash.digest('hex')
}

/** Gives a file to the first input that the selector finds, as if it had been chosen in its dialog. */
export async function chooseFile(page: Page, selector: string, path: string): Promise<void> {
  const { root } = await page.command<{ root: { nodeId: number } }>('DOM.getDocument')
  const { nodeId } = await page.command<{ nodeId: number }>('DOM.querySelector', { nodeId: root.nodeId, selector })
  await page.command('DOM.setFileInputFiles', { nodeId, files: [path] })
}

/** Returns an expression that is true once the page shows a text. */
export const says = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`
