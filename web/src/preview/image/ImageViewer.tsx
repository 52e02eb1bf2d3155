import { useEffect, useEffectEvent, useState } from 'react'
import { canFetch } from '../fetch-bytes.ts'
import { PreviewSpinner } from '../PreviewSpinner.tsx'
import { previewKindOf } from '../preview-kind.ts'
import { usePicture } from '../use-picture.ts'
import type { ViewerProps } from '../viewer.ts'
import styles from './ImageViewer.module.css'
import { useImageSource } from './use-image-source.ts'
import { ZoomableImage } from './ZoomableImage.tsx'

/** Shows a picture: the file itself, or where no browser can, a smaller one that the server has drawn. */
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

/** How long to wait for the server's picture. */
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
