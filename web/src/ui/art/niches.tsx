import { type ReactNode, type SVGProps, useId } from 'react'
import { Armchair, Books, Devices, FloorLamp, Heart, Key, Padlock, Shadow, Vase } from './objects.tsx'

/** The colors of a niche: the outer arch, the back wall from top to bottom, the shelf from back to front. */
const paints = {
  juniper: { reveal: ['#0C2921', '#1C5141'], wall: ['#3D846B', '#286854', '#133E32'], shelf: ['#61A58C', '#3D846B'] },
  lamp: { reveal: ['#4F2B13', '#744119'], wall: ['#DE9227', '#BB731D', '#744119'], shelf: ['#F4AC37', '#BB731D'] },
  sky: { reveal: ['#0E1F30', '#19405F'], wall: ['#1F6B9B', '#1C547C', '#13293E'], shelf: ['#50A5D8', '#1F6B9B'] },
} as const

interface NicheProps extends Omit<SVGProps<SVGSVGElement>, 'width' | 'height'> {
  readonly paint?: keyof typeof paints
  /** The inner size in the picture's units. The picture is as wide as its container. */
  readonly width?: number
  readonly height?: number
  /** The depth: the visible part of its left side and of its floor. */
  readonly depth?: number
  readonly floor?: number
  /** Without it, an object in the niche is the light source. */
  readonly hasTopLight?: boolean
  /** The base line and the shading of the side. Only small niches have them. */
  readonly hasShade?: boolean
  /** The objects on the shelf. */
  readonly children?: ReactNode
}

/** An arched niche in a wall, with a shelf and a light from the top. Decorative. */
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

/** The finished pictures. Each is as wide as its container. */

interface PictureProps {
  readonly className?: string
}

const large = { width: 500, height: 764, depth: 34, floor: 66, hasShade: false } as const

/** Sign in: the light is on. */
export function ArmchairNiche({ className }: PictureProps) {
  const id = useId()
  return (
    <Niche {...large} hasTopLight={false} className={className}>
      <defs>
        <radialGradient id={id} gradientUnits="userSpaceOnUse" cx="396" cy="420" r="250">
          <stop offset="0" stopColor="#FEEDC9" stopOpacity=".8" />
          <stop offset=".2" stopColor="#FEDB96" stopOpacity=".55" />
          <stop offset=".55" stopColor="#FCC35D" stopOpacity=".28" />
          <stop offset="1" stopColor="#F4AC37" stopOpacity="0" />
        </radialGradient>
      </defs>
      <path d="M34 698V252.5a232 232 0 0 1 463 0V698z" fill={`url(#${id})`} />
      <Shadow x={242} y={708} rx={192} ry={13} />
      <Armchair x={222} y={708} />
      <FloorLamp x={395} y={710} />
    </Niche>
  )
}

/** Register: room for your things. */
export function BooksNiche({ className }: PictureProps) {
  return (
    <Niche {...large} className={className}>
      <Shadow x={250} y={708} rx={184} ry={13} />
      <Books x={189} y={708} />
      <Vase x={364} y={708} isFull />
    </Niche>
  )
}

/** Goodbye: the key is left behind. */
export function KeyNiche({ className }: PictureProps) {
  return (
    <Niche {...large} className={className}>
      <Key x={266} y={300} />
    </Niche>
  )
}

/** An empty folder. */
export function VaseNiche({ className }: PictureProps) {
  return (
    <Niche className={className}>
      <Shadow x={120} y={249} rx={26} ry={4} />
      <Vase x={116} y={249} scale={0.36} />
    </Niche>
  )
}

/** No favorites yet. */
export function HeartNiche({ className }: PictureProps) {
  return (
    <Niche className={className}>
      <Shadow x={121} y={249} rx={50} ry={5} />
      <Heart x={121} y={248} />
    </Niche>
  )
}

/** Generous Storage. */
export function StorageNiche({ className }: PictureProps) {
  return (
    <Niche className={className}>
      <Shadow x={92} y={249} rx={58} ry={4} />
      <Shadow x={172} y={249} rx={30} ry={4} />
      <Books x={90} y={249} scale={0.44} />
      <Vase x={170} y={249} scale={0.44} isFull />
    </Niche>
  )
}

/** Access Anywhere. */
export function DevicesNiche({ className }: PictureProps) {
  return (
    <Niche paint="lamp" className={className}>
      <Shadow x={120} y={249} rx={88} ry={4} />
      <Devices x={124} y={248} />
    </Niche>
  )
}

/** The banner of the vault, which has its own light from above. */
export function LockedNiche({ className }: PictureProps) {
  return (
    <Niche hasShade={false} className={className}>
      <Padlock x={120} y={249} />
    </Niche>
  )
}

/** Advanced Security, and the vault. */
export function PadlockNiche({ className }: PictureProps) {
  return (
    <Niche paint="sky" className={className}>
      <Shadow x={120} y={249} rx={70} ry={5} />
      <Padlock x={120} y={249} />
    </Niche>
  )
}
