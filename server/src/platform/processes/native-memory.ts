// SURPRISE: the server calls the C library to return freed native memory, through Node's experimental `node:ffi`.
// glibc returns freed memory only from the end of its heap. Buffers of requests fragment it, so what a load has taken once stays.
// Measured: after four uploads and 50 clients in a control group of 256 MiB, the heap had 90 MiB, 35 of them in use, and
// 53 were returned. Returning 160 MiB took 12 ms in a script (docs/decisions/044-memory-and-start.md).
// Remove it when: Node.js or glibc returns free memory itself.

type Trim = () => void
let trim: Trim | undefined

/** Returns free native memory to the system. Does nothing where the C library can't. */
export function returnNativeMemory(): void {
  trim ??= findTrim()
  trim()
}

function findTrim(): Trim {
  // Node warns that the module is experimental. If it changes or is gone, memory is only returned later.
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    const { functions } = process
      .getBuiltinModule('node:ffi')
      .dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } })
    return () => void functions.malloc_trim(0n)
  } catch {
    return () => {}
  } finally {
    process.emitWarning = emitWarning
  }
}
