/** So long the page may stand still, in milliseconds. */
const SLICE = 40

/**
 * Has the browser look up the size and time of chosen files, a few at a time. It does so when one is first asked for,
 * and waits for the disk meanwhile: with twenty thousand files of a folder the page would stand still for seconds.
 */
export async function readFileMetadata(files: readonly Pick<File, 'size'>[]): Promise<void> {
  let until = performance.now() + SLICE
  for (const file of files) {
    void file.size
    if (performance.now() < until) continue
    await new Promise((resolve) => setTimeout(resolve))
    until = performance.now() + SLICE
  }
}
