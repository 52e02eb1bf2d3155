import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SANDBOX } from './manifest.ts'

/** Copies the state of the test payments, where there are any, from a data directory into another folder. */
export async function saveSandbox(dataDir: string, folder: string): Promise<boolean> {
  const path = join(dataDir, SANDBOX)
  if (!existsSync(path)) return false
  const copy = join(folder, SANDBOX)
  // SQLite writes into no file that is there.
  await rm(copy, { force: true })
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    database.prepare('vacuum into ?').run(copy)
  } finally {
    database.close()
  }
  return true
}
