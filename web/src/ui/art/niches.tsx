import { useId } from 'react'
import { Niche } from './Niche.tsx'
import { Armchair, Books, Devices, FloorLamp, Heart, Key, Padlock, Shadow, Vase } from './objects.tsx'

/** The finished pictures. Each takes the width its container gives it. */

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

/** The banner of the vault, which is lit from above itself. */
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
