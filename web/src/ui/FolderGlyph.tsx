import { useId } from 'react'

interface FolderGlyphProps {
  /** Width in pixels. */
  readonly size?: number
  /** The darker folder of the vault. */
  readonly isVault?: boolean
}

const drive = { back: '#1C5141', top: '#3D846B', front: '#286854', edge: '#61A58C', reveal: '#133E32' }
const vault = { back: '#133E32', top: '#286854', front: '#1C5141', edge: '#3D846B', reveal: '#0C2921' }

/** The icon of a folder. Decorative: the name is shown beside it. */
export function FolderGlyph({ size = 38, isVault = false }: FolderGlyphProps) {
  const id = useId()
  const { back, top, front, edge, reveal } = isVault ? vault : drive
  return (
    <svg width={size} height={size * 0.76} viewBox="0 0 50 38" aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id={`${id}f`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor={top} />
          <stop offset="1" stopColor={front} />
        </linearGradient>
        <linearGradient id={`${id}l`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#FCC96F" />
          <stop offset="1" stopColor="#F4AC37" />
        </linearGradient>
      </defs>
      <path d="M0 6a5 5 0 0 1 5-5h11.5a4 4 0 0 1 2.9 1.2L22.5 5.3H45a5 5 0 0 1 5 5V20H0z" fill={back} />
      <path d="M0 12h50v20.5a5 5 0 0 1-5 5H5a5 5 0 0 1-5-5z" fill={`url(#${id}f)`} />
      <path d="M0 12h50v1H0z" fill={edge} />
      <path d="M16 37.5v-9.5a9 9 0 0 1 18 0v9.5z" fill={reveal} />
      <path d="M19.5 37.5v-8a7.25 7.25 0 0 1 14.5 0v8z" fill={`url(#${id}l)`} />
    </svg>
  )
}
