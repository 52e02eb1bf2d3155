// SURPRISE: the server is started with a flag that changes how V8 counts buffers.
// By default V8 collects its whole heap for every 30 MiB of buffers outside it: 30 full collections for 1 GiB received. With
// the flag, buffers count as memory in use and the collection of young objects frees them. V8 heeds it only on the command line.
// Measured: a PUT of 1 GiB takes 0.8 instead of 1.7 seconds of processor time, with the same peak of memory.
// Remove it when: V8 does this by default, or the flag is gone and uploads are no slower without it.
/** Arguments for Node.js before the path of `main.ts`. */
export const MEMORY_FLAGS = ['--external-memory-accounted-in-global-limit']
