/// <reference lib="dom" />
/** Runs in a page of the product's origin, and so knows nothing but its input. Times are milliseconds. */

interface Playing {
  api: string
  authorization: string
  id: string
}

/**
 * From the moment of a click to the first picture of a film that plays: its address is asked for, its head and index are
 * fetched, and pictures decoded. The sound is off, since a page that nobody has touched may not make any.
 */
export async function startFilm({ api, authorization, id }: Playing): Promise<number> {
  document.querySelector('video')?.remove()
  const clickedAt = performance.now()
  const response = await fetch(`${api}/stream-url/${id}`, { headers: { authorization } })
  const { pathname, search } = new URL(((await response.json()) as { url: string }).url)
  const video = document.createElement('video')
  video.muted = true
  video.src = pathname + search
  document.body.append(video)
  const shown = new Promise<number>((resolve, reject) => {
    video.requestVideoFrameCallback((now) => resolve(now))
    video.onerror = () => reject(new Error(`the film does not play: ${video.error?.message}`))
  })
  await video.play()
  return (await shown) - clickedAt
}

/** From a seek to the first picture from there, in the film that plays. `share` is where: 0 to 1 of its length. */
export async function seekFilm(share: number): Promise<number> {
  const video = document.querySelector('video') as HTMLVideoElement
  const askedAt = performance.now()
  const target = share * video.duration
  video.currentTime = target
  return new Promise((resolve) => {
    const look = (now: number, { mediaTime }: VideoFrameCallbackMetadata) => {
      if (Math.abs(mediaTime - target) < 1) resolve(now - askedAt)
      else video.requestVideoFrameCallback(look)
    }
    video.requestVideoFrameCallback(look)
  })
}
