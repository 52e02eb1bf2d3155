import { IconMinus, IconPlus, IconRotateClockwise } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { useViewKeys, ViewButton, ViewControls } from '../viewer-parts.tsx'
import { useGestures } from './use-gestures.ts'
import styles from './ZoomableImage.module.css'
import { useZoom } from './zoom.ts'

interface ZoomableImageProps {
  readonly src: string
  readonly name: string
  readonly isInline: boolean
  readonly onLoad?: () => void
  readonly onError: () => void
}

const UNKNOWN = { width: 0, height: 0 }

/** A picture that can be zoomed, moved and rotated. It is always an `<img>`, so that scripts in an SVG don't run. */
export function ZoomableImage({ src, name, isInline, onLoad, onError }: ZoomableImageProps) {
  const box = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState(UNKNOWN)
  const isDrawing = name.toLowerCase().endsWith('.svg')
  // An SVG may have no intrinsic size.
  const picture = useMemo(() => (isDrawing && size.width === 0 ? { width: 512, height: 512 } : size), [isDrawing, size])
  const { view, isZoomed, zoomBy, zoomIn, zoomOut, fit, toggle, panBy, rotate } = useZoom(box, picture, isDrawing)
  const gestures = useGestures(box, { isZoomed, zoomBy, panBy, toggle }, !isInline)
  useViewKeys({ '+': zoomIn, '=': zoomIn, '-': zoomOut, '0': fit, r: rotate }, { isEnabled: !isInline })
  const isKnown = size !== UNKNOWN

  return (
    <div className={styles.viewer}>
      <div
        ref={box}
        className={styles.box}
        data-pans={isZoomed || undefined}
        data-inline={isInline || undefined}
        {...gestures}
      >
        <img
          className={styles.image}
          src={src}
          alt={name}
          draggable={false}
          data-known={isKnown || undefined}
          data-clear={!/\.(jpe?g|bmp)$/i.test(name) || undefined}
          style={{
            width: isKnown ? picture.width * view.scale : undefined,
            height: isKnown ? picture.height * view.scale : undefined,
            transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) rotate(${view.turns * 90}deg)`,
          }}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            setSize({ width: naturalWidth, height: naturalHeight })
            onLoad?.()
          }}
          onError={onError}
        />
      </div>
      {!isInline && (
        <ViewControls label="Zoom">
          <ViewButton label="Zoom out" isDisabled={!isZoomed} onClick={zoomOut}>
            <IconMinus size={20} stroke={1.75} />
          </ViewButton>
          <button type="button" className={styles.scale} aria-label={`${percent(view.scale)}, show all`} onClick={fit}>
            {percent(view.scale)}
          </button>
          <ViewButton label="Zoom in" onClick={zoomIn}>
            <IconPlus size={20} stroke={1.75} />
          </ViewButton>
          <ViewButton label="Rotate" onClick={rotate}>
            <IconRotateClockwise size={20} stroke={1.75} />
          </ViewButton>
        </ViewControls>
      )}
    </div>
  )
}

function percent(scale: number): string {
  return `${Math.round(scale * 100)}%`
}
