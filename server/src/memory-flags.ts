// SURPRISE: the server is started with flags and a variable for its memory.
//
// By default V8 collects its whole heap for every 30 MiB of buffers outside it: 30 full collections for 1 GiB received. With
// the flag, buffers count as memory in use and the collection of young objects frees them. V8 heeds it only on the command line.
// Measured: a PUT of 1 GiB takes 0.8 instead of 1.7 seconds of processor time, with the same peak of memory.
// Remove it when: V8 does this by default, or the flag is gone and uploads are no slower without it.
//
// Half of the memory is for JavaScript, the rest for buffers, databases and work processes. By default V8 takes up to 256 MiB even in a
// control group that has no more, and Linux ends the server.
//
// Each thread that allocates native memory gets an arena of its own, which keeps what it has once taken. Two are enough.
/** Arguments for Node.js before the path of `main.ts`. */
export const MEMORY_FLAGS = ['--external-memory-accounted-in-global-limit', '--max-old-space-size-percentage=50']

/** A variable that the C library reads at the start. */
export const MEMORY_VARIABLE = ['MALLOC_ARENA_MAX', '2'] as const
