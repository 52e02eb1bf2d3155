/** How long the page may be blocked at a time, in milliseconds. */
const SLICE = 40

/**
 * Makes the browser read the size and date of chosen files, a few at a time. The browser reads them from the disk on
 * first access and blocks the page meanwhile, which takes seconds for a folder of twenty thousand files.
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
