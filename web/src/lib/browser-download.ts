/** Downloads from an address. The server chooses the file name unless one is given. */
export function downloadFrom(url: string, filename = ''): void {
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
}

/** Saves a text as a file. */
export function downloadText(text: string, filename: string): void {
  downloadBlob(new Blob([text], { type: 'text/plain' }), filename)
}

/** Saves a blob as a file. */
export function downloadBlob(blob: Blob, filename: string): void {
  const url = URL.createObjectURL(blob)
  downloadFrom(url, filename)
  // The browser must have started to read it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
