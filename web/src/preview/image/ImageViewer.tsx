import { MEBIBYTE } from '@alcove/contract/limits'
import { previewKindOf } from '@alcove/contract/preview-kind'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { canFetch, fetchWhole } from '../fetch-bytes.ts'
import type { PreviewItem, ViewerProps } from '../preview-item.ts'
import { usePicture } from '../use-picture.ts'
import { PreviewSpinner } from '../viewer-parts.tsx'
import styles from './ImageViewer.module.css'
import { ZoomableImage } from './ZoomableImage.tsx'

/** Shows a picture: the file itself, or for formats that browsers can't show, a smaller one made by the server. */
export function ImageViewer(props: ViewerProps) {
  const { item } = props
  return previewKindOf(item.name) === 'thumbnail' ? <DrawnImage {...props} /> : <OwnImage {...props} />
}

function OwnImage({ item, isInline, onFail }: ViewerProps) {
  const { src, share, renew } = useImageSource(item, () => onFail('unreachable'))
  const [isLoaded, setIsLoaded] = useState(false)
  const placeholder = usePicture(item.thumbnail?.(256))

  async function explain() {
    if (!(await canFetch(item))) onFail('unreachable')
    else if (!(await renew())) onFail('broken')
  }

  return (
    <>
      {!src && placeholder && <img className={styles.placeholder} src={placeholder} alt="" />}
      {src && (
        <ZoomableImage
          src={src}
          name={item.name}
          isInline={isInline}
          onLoad={() => setIsLoaded(true)}
          onError={() => void explain()}
        />
      )}
      {!isLoaded && <PreviewSpinner share={share} />}
    </>
  )
}

/** How long to wait for the server's picture, in milliseconds. */
const LOAD_TIMEOUT = 20_000

function DrawnImage({ item, isInline, onFail }: ViewerProps) {
  const source = item.thumbnail?.(1280)
  const src = usePicture(source)
  const hasSource = source !== undefined
  const giveUp = useEffectEvent((reason: 'unsupported') => onFail(reason))
  useEffect(() => {
    if (src) return
    const timer = setTimeout(() => giveUp('unsupported'), hasSource ? LOAD_TIMEOUT : 0)
    return () => clearTimeout(timer)
  }, [hasSource, src])
  if (!src) return <PreviewSpinner />
  return <ZoomableImage src={src} name={item.name} isInline={isInline} onError={() => onFail('unsupported')} />
}

/** Pictures of at least this size are fetched here, to show the progress, which an `<img>` doesn't report. */
const LARGE = 4 * MEBIBYTE

interface ImageSource {
  readonly src?: string
  /** The progress of a large picture, between 0 and 1. */
  readonly share?: number
}

/**
 * Returns the address of a picture. `renew` switches to a newer address of the item if there is one, because the first
 * may have been revoked early, and resolves with whether it did.
 */
function useImageSource(item: PreviewItem, onFail: () => void) {
  const [source, setSource] = useState<ImageSource>({})
  const fail = useEffectEvent(onFail)
  const isRenewed = useRef(false)

  async function renew(): Promise<boolean> {
    if (isRenewed.current || item.size >= LARGE) return false
    const src = await item.url()
    if (src === source.src) return false
    isRenewed.current = true
    setSource({ src })
    return true
  }

  useEffect(() => {
    const controller = new AbortController()
    let objectUrl: string | undefined
    const load = async () => {
      if (item.size < LARGE) return setSource({ src: await item.url() })
      const onProgress = (share: number) => setSource({ share })
      const blob = await fetchWhole(item, { signal: controller.signal, onProgress })
      objectUrl = URL.createObjectURL(blob)
      setSource({ src: objectUrl })
    }
    load().catch(() => {
      if (!controller.signal.aborted) fail()
    })
    return () => {
      controller.abort()
      if (objectUrl) URL.revokeObjectURL(objectUrl)
    }
  }, [item])
  return { ...source, renew }
}
