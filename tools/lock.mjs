import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Longer than any install or build takes. After that, the process id in the lock may belong to another process. */
const ABANDONED_AFTER = 15 * 60_000

/** Runs `work` while no other process of this checkout holds the lock file; a lock whose process died is taken over. */
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true })
  let said = false
  while (!take(path)) {
    if (isAbandoned(path)) rmSync(path, { force: true })
    else {
      if (!said) console.log('Another command is preparing this folder; waiting for it …')
      said = true
      await wait(200)
    }
  }
  const release = () => rmSync(path, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function isAbandoned(path) {
  try {
    const holder = Number(readFileSync(path, 'utf8'))
    if (Date.now() - statSync(path).mtimeMs > ABANDONED_AFTER) return true
    // The file was created a moment ago, and the process id is about to be written.
    if (!holder) return false
    process.kill(holder, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}
