import { useId } from 'react'

interface FolderGlyphProps {
  /** Width in pixels. */
  readonly size?: number
}

/** A folder of the drive, with the lit niche on its front. Decorative: the name stands beside it. */
export function FolderGlyph({ size = 38 }: FolderGlyphProps) {
  const id = useId()
  return (
    <svg width={size} height={size * 0.76} viewBox="0 0 50 38" aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id={`${id}f`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#3D846B" />
          <stop offset="1" stopColor="#286854" />
        </linearGradient>
        <linearGradient id={`${id}l`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#FCC96F" />
          <stop offset="1" stopColor="#F4AC37" />
        </linearGradient>
      </defs>
      <path d="M0 6a5 5 0 0 1 5-5h11.5a4 4 0 0 1 2.9 1.2L22.5 5.3H45a5 5 0 0 1 5 5V20H0z" fill="#1C5141" />
      <path d="M0 12h50v20.5a5 5 0 0 1-5 5H5a5 5 0 0 1-5-5z" fill={`url(#${id}f)`} />
      <path d="M0 12h50v1H0z" fill="#61A58C" />
      <path d="M16 37.5v-9.5a9 9 0 0 1 18 0v9.5z" fill="#133E32" />
      <path d="M19.5 37.5v-8a7.25 7.25 0 0 1 14.5 0v8z" fill={`url(#${id}l)`} />
    </svg>
  )
}
