import { closeSync, constants, fdatasyncSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort } from 'node:worker_threads'
import type { SmallFile } from './small-file-writer.ts'

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

// For each file undefined, or why it could not be written.
parentPort?.on('message', (files: SmallFile[]) => {
  const failures = files.map(attempt(writeSynced))
  const folders = new Set(files.map(({ path }) => dirname(path)))
  const unsynced = new Map([...folders].map((folder) => [folder, attempt(syncFolder)(folder)] as const))
  parentPort?.postMessage(files.map(({ path }, index) => failures[index] ?? unsynced.get(dirname(path))))
})

function attempt<Argument>(work: (argument: Argument) => void): (argument: Argument) => string | undefined {
  return (argument) => {
    try {
      work(argument)
      return undefined
    } catch (error) {
      return String(error)
    }
  }
}

function writeSynced({ path, bytes }: SmallFile): void {
  const file = create(path)
  try {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(file, bytes, written, bytes.length - written, written)
    }
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
}

function create(path: string): number {
  try {
    return openSync(path, NEW_FILE, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const folder = dirname(path)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    syncFolder(dirname(folder))
    return openSync(path, NEW_FILE, 0o600)
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
