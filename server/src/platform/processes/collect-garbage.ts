import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { returnNativeMemory } from './native-memory.ts'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void
let collect: Collect | undefined

/** Collects all garbage and returns free pages to the system, which 'last-resort' means, and the native memory of what was collected. */
export function collectGarbage(): void {
  collect ??= findCollect()
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  returnNativeMemory()
}

function findCollect(): Collect {
  setFlagsFromString('--expose-gc')
  try {
    return runInNewContext('gc') as Collect
  } finally {
    // Code in the compile cache is valid only with the flags that it was compiled with.
    setFlagsFromString('--no-expose-gc')
  }
}
