import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { useMemo } from 'react'

/** The quiet zone around a QR code, in modules. */
const QUIET_ZONE = 4

interface QrCodeProps {
  readonly text: string
  /** The accessible name. */
  readonly label: string
}

/** A QR code, dark on white in both color schemes: some scanners can't read inverted codes. */
export function QrCode({ text, label }: QrCodeProps) {
  const { path, size } = useMemo(() => {
    const code = generate(text)
    return { path: toSvgPath(code), size: code.size + 2 * QUIET_ZONE }
  }, [text])
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#FFFFFF" />
      <path d={path} fill="#0C2921" transform={`translate(${QUIET_ZONE} ${QUIET_ZONE})`} />
    </svg>
  )
}
