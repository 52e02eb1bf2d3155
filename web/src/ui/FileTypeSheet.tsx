import { type FileKind, fileKindOf } from '../lib/file-names.ts'
import { fileTypeColor, labelOf } from './file-type-look.ts'

interface FileTypeSheetProps {
  readonly filename: string
  /** Width in pixels. */
  readonly size?: number
}

/** The large icon of a file: a sheet with a motif and a label for its type. Decorative: the name is shown beside it. */
export function FileTypeSheet({ filename, size = 54 }: FileTypeSheetProps) {
  const kind = fileKindOf(filename)
  const color = fileTypeColor[kind]
  const label = labelOf(filename)
  return (
    <svg
      width={size}
      height={(size * 4) / 3}
      viewBox="0 0 48 64"
      aria-hidden="true"
      focusable="false"
      style={{ filter: 'drop-shadow(0 4px 6px rgb(0 0 0 / 8%))', overflow: 'visible' }}
    >
      <path
        d="M6 .5h26L47.5 16v42a5.5 5.5 0 0 1-5.5 5.5H6A5.5 5.5 0 0 1 .5 58V6A5.5 5.5 0 0 1 6 .5z"
        fill="var(--alcove-paper)"
        stroke="var(--alcove-paper-line)"
      />
      <path d="M32 .5 47.5 16H37.5A5.5 5.5 0 0 1 32 10.5z" fill={color} opacity=".2" />
      <g fill="none" stroke={color} strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" opacity=".55">
        {motifs[kind]}
      </g>
      {label && (
        <>
          <path d={label.outline} fill={color} />
          <text
            x={label.middle}
            y="58.3"
            textAnchor="middle"
            fontSize="10"
            fontWeight="700"
            fill="var(--alcove-on-type)"
          >
            {label.text}
          </text>
        </>
      )}
    </svg>
  )
}

const lines = <path d="M12 24h24M12 30.5h24M12 37h16" />

const motifs: Record<FileKind, React.ReactNode> = {
  pdf: lines,
  doc: <path d="M12 21.5h17M12 28h25M12 34.5h18M12 41h25" />,
  text: <path d="M12 22h24M12 28.5h24M12 35h24M12 41.5h15" />,
  other: lines,
  sheet: <path d="M12 21h24v21H12zM12 28h24M12 35h24M20 21v21M28 21v21" />,
  slides: <path d="M12 21h24v15.5H12zM24 36.5v5.5M18 42h12" />,
  image: (
    <>
      <path d="M11 21h26v21H11zM11 38l8-7 6 5 5-4 7 6" />
      <circle cx="30" cy="27" r="2.2" />
    </>
  ),
  audio: (
    <>
      <path d="M20 40V24.5L34 21v15.5" />
      <circle cx="16.7" cy="40" r="3.3" />
      <circle cx="30.7" cy="36.5" r="3.3" />
    </>
  ),
  video: <path d="M18.5 22.5v17L32 31z" />,
  archive: <path d="M24 6v4M24 14v4M24 22v4M20.5 31h7v10h-7z" />,
}
