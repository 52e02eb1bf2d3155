import '@fontsource-variable/hanken-grotesk'
import '@fontsource/young-serif/400.css'
import serifFile from '@fontsource/young-serif/files/young-serif-latin-400-normal.woff2?url'
import sansFile from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?url'
import { preload } from 'react-dom'

/**
 * Has the two fonts of the first screen on their way before its styles ask for them, a rendering later. Where the first
 * look stands, which the system's fonts draw, they are only fetched: laying the first rendering out in fonts that are
 * new to the browser takes 60 to 80 ms more on a slow processor, in a task that is long already.
 */
export function requestFonts(): void {
  if (document.querySelector('#first-look:not([hidden])')) {
    for (const file of [sansFile, serifFile])
      preload(file, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  } else {
    for (const font of ['1em "Hanken Grotesk Variable"', '1em "Young Serif"']) void document.fonts.load(font)
  }
}
