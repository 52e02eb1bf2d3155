import {
  IconFile,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconMovie,
  IconMusic,
  IconPhoto,
  IconPresentation,
  type TablerIcon,
} from '@tabler/icons-react'
import { type FileKind, fileKindOf } from '../lib/file-names.ts'
import { fileTypeColor } from './file-type-look.ts'

interface FileTypeSquareProps {
  readonly filename: string
  /** Width and height in pixels. */
  readonly size?: number
}

const icons: Record<FileKind, TablerIcon> = {
  pdf: IconFileTypePdf,
  doc: IconFileText,
  sheet: IconFileSpreadsheet,
  slides: IconPresentation,
  image: IconPhoto,
  audio: IconMusic,
  video: IconMovie,
  archive: IconFileZip,
  text: IconFileText,
  other: IconFile,
}

/** The small icon of a file, for lists: its type on a tinted square. Decorative. */
export function FileTypeSquare({ filename, size = 34 }: FileTypeSquareProps) {
  const kind = fileKindOf(filename)
  const Icon = icons[kind]
  const color = fileTypeColor[kind]
  return (
    <span
      aria-hidden="true"
      style={{
        display: 'inline-grid',
        placeItems: 'center',
        flex: 'none',
        width: size,
        height: size,
        borderRadius: 10,
        color,
        backgroundColor: `color-mix(in srgb, ${color} 12%, transparent)`,
      }}
    >
      <Icon size={Math.round(size * 0.53)} stroke={1.75} />
    </span>
  )
}
