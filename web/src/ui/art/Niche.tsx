import { type ReactNode, type SVGProps, useId } from 'react'

/** The paint of a niche: the outer arch, the back wall from top to bottom, the shelf from back to front. */
const paints = {
  juniper: { reveal: ['#0C2921', '#1C5141'], wall: ['#3D846B', '#286854', '#133E32'], shelf: ['#61A58C', '#3D846B'] },
  lamp: { reveal: ['#4F2B13', '#744119'], wall: ['#DE9227', '#BB731D', '#744119'], shelf: ['#F4AC37', '#BB731D'] },
  sky: { reveal: ['#0E1F30', '#19405F'], wall: ['#1F6B9B', '#1C547C', '#13293E'], shelf: ['#50A5D8', '#1F6B9B'] },
} as const

interface NicheProps extends Omit<SVGProps<SVGSVGElement>, 'width' | 'height'> {
  readonly paint?: keyof typeof paints
  /** Inner measures in the picture's own units; the picture itself takes the width its container gives. */
  readonly width?: number
  readonly height?: number
  /** How deep the niche is: what shows of its left side, and of its floor. */
  readonly depth?: number
  readonly floor?: number
  /** Without it the niche is lit by what stands in it. */
  readonly hasTopLight?: boolean
  /** The line it stands on and the shade of its side, which only small ones have. */
  readonly hasShade?: boolean
  /** What stands on the shelf. */
  readonly children?: ReactNode
}

/** An arch cut into the wall, painted, with a shelf and one light from the top. Decorative. */
export function Niche({
  paint = 'juniper',
  width = 220,
  height = 256,
  depth = 22,
  floor = 15,
  hasTopLight = true,
  hasShade = true,
  children,
  ...others
}: NicheProps) {
  const id = useId()
  const { reveal, wall, shelf } = paints[paint]
  const right = width - Math.max(1.5, depth / 12)
  const back = height - floor
  const top = depth * 0.55
  const outer = arch(0, width, 0, height)
  const inner = arch(depth, right, top, back)
  return (
    <svg viewBox={`0 0 ${width} ${height}`} overflow="visible" aria-hidden="true" focusable="false" {...others}>
      <defs>
        <linearGradient id={`${id}r`} x1="0" y1="0" x2="1" y2="0">
          <stop offset="0" stopColor={reveal[0]} />
          <stop offset="1" stopColor={reveal[1]} />
        </linearGradient>
        <linearGradient id={`${id}w`} x1=".3" y1="0" x2=".62" y2="1">
          <stop offset="0" stopColor={wall[0]} />
          <stop offset=".5" stopColor={wall[1]} />
          <stop offset="1" stopColor={wall[2]} />
        </linearGradient>
        <linearGradient id={`${id}s`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor={shelf[0]} />
          <stop offset="1" stopColor={shelf[1]} />
        </linearGradient>
        <radialGradient id={`${id}l`} gradientUnits="userSpaceOnUse" cx={(depth + right) / 2} cy={top} r={width * 0.62}>
          <stop offset="0" stopColor="#FEEDC9" stopOpacity=".95" />
          <stop offset=".1" stopColor="#FEDB96" stopOpacity=".8" />
          <stop offset=".36" stopColor="#FCC35D" stopOpacity=".48" />
          <stop offset=".68" stopColor="#F4AC37" stopOpacity=".17" />
          <stop offset="1" stopColor="#F4AC37" stopOpacity="0" />
        </radialGradient>
        <clipPath id={`${id}c`}>
          <path d={inner} />
        </clipPath>
      </defs>
      <path d={outer} fill={`url(#${id}r)`} />
      <path d={inner} fill={`url(#${id}w)`} />
      {hasTopLight && <path d={inner} fill={`url(#${id}l)`} />}
      {hasShade && (
        <path
          d={`${inner}${arch(depth * 1.95, right + depth * 0.95, top, back)}`}
          fillRule="evenodd"
          clipPath={`url(#${id}c)`}
          fill={reveal[0]}
          opacity=".16"
        />
      )}
      <path d={`M0 ${height} ${depth} ${back}H${right}L${width} ${height}z`} fill={`url(#${id}s)`} />
      {hasShade && <path d={`M-7 ${height}H${width + 7}`} stroke="var(--alcove-line-strong)" strokeWidth="2" />}
      {children}
    </svg>
  )
}

/** A half circle on two straight sides. */
function arch(left: number, right: number, top: number, bottom: number): string {
  const radius = (right - left) / 2
  return `M${left} ${bottom}V${top + radius}a${radius} ${radius} 0 0 1 ${right - left} 0V${bottom}z`
}
