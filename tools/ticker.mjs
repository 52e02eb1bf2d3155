const DRAW_EVERY = 200
const BAR_WIDTH = 24
const CLEAR_LINE = '\r\u001b[2K'

/**
 * Shows what `work` does and since when: on a terminal in a line that is redrawn, with a bar if `share` returns how much is done, from 0
 * to 1. Elsewhere, prints a line at the start and one at the end.
 */
export async function withTicker(text, work, { share, stream = process.stdout } = {}) {
  const start = performance.now()
  const seconds = () => Math.round((performance.now() - start) / 1000)
  if (!stream.isTTY) stream.write(`${text} …\n`)
  const draw = () => {
    const done = Math.min(share?.() ?? 0, 1)
    const filled = Math.round(done * BAR_WIDTH)
    const bar = share ? ` ${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${Math.floor(done * 100)}%` : ' …'
    stream.write(`${CLEAR_LINE}${`${text}${bar} ${seconds()} s`.slice(0, (stream.columns || 80) - 1)}`)
  }
  const timer = stream.isTTY ? setInterval(draw, DRAW_EVERY) : undefined
  try {
    const result = await work()
    stream.write(`${stream.isTTY ? CLEAR_LINE : ''}${text}: done in ${seconds()} s\n`)
    return result
  } catch (error) {
    if (stream.isTTY) stream.write('\n')
    throw error
  } finally {
    clearInterval(timer)
  }
}
