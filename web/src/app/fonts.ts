import '@fontsource-variable/hanken-grotesk'
import '@fontsource/young-serif/400.css'
import serifFile from '@fontsource/young-serif/files/young-serif-latin-400-normal.woff2?url'
import sansFile from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?url'
import { preload } from 'react-dom'

/**
 * Requests the two fonts of the first screen before its styles do, which is one rendering later. If the first look is shown,
 * which uses system fonts, they are only fetched: laying out the first rendering in newly loaded fonts takes 60 to 80 ms
 * more on a slow processor, in a task that is already long.
 */
export function requestFonts(): void {
  if (document.querySelector('#first-look:not([hidden])')) {
    for (const file of [sansFile, serifFile])
      preload(file, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  } else {
    for (const font of ['1em "Hanken Grotesk Variable"', '1em "Young Serif"']) void document.fonts.load(font)
  }
}
