/** What browsers call a picture that was copied as such, as a screenshot is, and not as a file. */
const NAMELESS = /^image\.(png|jpe?g|gif|webp|bmp)$/i

/** Names a pasted picture that has no name after the time it came: `Pasted image 2026-11-22 10.31.png`. */
export function nameOfPasted(name: string, now: Date): string {
  const [, extension] = NAMELESS.exec(name) ?? []
  if (extension === undefined) return name
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  return `Pasted image ${day} ${two(now.getHours())}.${two(now.getMinutes())}.${extension}`
}

/** The same file under the name that it gets when it is pasted. */
export function renamePasted(file: File, now = new Date()): File {
  const name = nameOfPasted(file.name, now)
  return name === file.name ? file : new File([file], name, { type: file.type, lastModified: file.lastModified })
}
