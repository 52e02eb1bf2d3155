import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { useMemo } from 'react'

/** The empty margin that readers of QR codes need, in modules. */
const MARGIN = 4

interface QrCodeProps {
  readonly text: string
  /** What readers hear instead. */
  readonly label: string
}

/** A QR code: dark on white in both schemes, since not every reader knows the other way round. */
export function QrCode({ text, label }: QrCodeProps) {
  const { path, size } = useMemo(() => {
    const code = generate(text)
    return { path: toSvgPath(code), size: code.size + 2 * MARGIN }
  }, [text])
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#FFFFFF" />
      <path d={path} fill="#0C2921" transform={`translate(${MARGIN} ${MARGIN})`} />
    </svg>
  )
}
