import { IconSearch, type TablerIcon } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { siteName } from '../../lib/site.ts'

/** The parts of the two drawings of the product, in the colors of the color scheme. */

interface PlaceProps {
  readonly x: number
  readonly y: number
}

export function LogoMark({ x, y }: PlaceProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M0 12V6a5.5 5.5 0 0 1 11 0v6z" fill="#286854" />
      <path d="M4 12V7.5a2.75 2.75 0 0 1 5.5 0V12z" fill="#F4AC37" />
      <text
        data-name=""
        x="17"
        y="10.5"
        fontFamily="var(--mantine-font-family-headings)"
        fontSize="12"
        fontWeight="400"
      >
        {siteName}
      </text>
    </g>
  )
}

/** The heart of a favorite, 8 wide. */
export function Heart({ x, y }: PlaceProps) {
  return (
    <path
      transform={`translate(${x} ${y})`}
      d="M4 7.4 .9 4.3a2.1 2.1 0 0 1 3.1-2.9 2.1 2.1 0 0 1 3.1 2.9z"
      fill="var(--alcove-heart)"
    />
  )
}

interface MockIconProps extends PlaceProps {
  readonly Icon: TablerIcon
  readonly size?: number
  readonly color?: string
}

export function MockIcon({ Icon, x, y, size = 9, color = 'var(--alcove-text-2)' }: MockIconProps) {
  return <Icon x={x} y={y} size={size} stroke={2} color={color} />
}

interface ButtonBoxProps extends PlaceProps {
  readonly width: number
  readonly height: number
  readonly label: string
  readonly Icon: TablerIcon
  readonly isPrimary?: boolean
}

/** A button with an icon and a label. */
export function ButtonBox({ x, y, width, height, label, Icon, isPrimary = false }: ButtonBoxProps) {
  const color = isPrimary ? 'var(--alcove-on-primary)' : 'var(--alcove-text)'
  return (
    <g transform={`translate(${x} ${y})`} fill={color}>
      <rect
        width={width}
        height={height}
        rx="6"
        fill={isPrimary ? 'var(--alcove-primary)' : 'var(--alcove-raised)'}
        stroke={isPrimary ? 'none' : 'var(--alcove-line-strong)'}
      />
      <MockIcon Icon={Icon} x={5} y={height / 2 - 4.5} color={color} />
      <text x={width / 2 + 6.5} y={height / 2 + 2.5} textAnchor="middle">
        {label}
      </text>
    </g>
  )
}

interface SearchBarProps extends PlaceProps {
  readonly width: number
  readonly height: number
}

export function SearchBar({ x, y, width, height }: SearchBarProps) {
  const line = height / 2 + 2.5
  return (
    <g transform={`translate(${x} ${y})`} fontWeight="400">
      <rect width={width} height={height} rx="7" fill="var(--alcove-raised)" stroke="var(--alcove-line-strong)" />
      <MockIcon Icon={IconSearch} x={7} y={height / 2 - 4.5} />
      <text x="21" y={line} fill="var(--alcove-text-3)">
        Search files
      </text>
      <rect x={width - 35} y="3" width="32" height={height - 6} rx="5" fill="var(--alcove-selected)" />
      <text x={width - 19} y={line} textAnchor="middle" fontWeight="600" fill="var(--alcove-primary-text)">
        Search
      </text>
    </g>
  )
}

/** The bar of the used storage, with texts above and below. */
export function StorageUsage({ x, y, width }: PlaceProps & { readonly width: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <text>Your Storage Usage</text>
      <text x={width} textAnchor="end">
        20.15%
      </text>
      <rect y="5" width={width} height="4" rx="2" fill="var(--alcove-press)" />
      <rect y="5" width="30" height="4" rx="2" fill="#3D846B" />
      <rect x="22" y="5" width="8" height="4" rx="2" fill="var(--alcove-lamp)" />
      <text y="18" fontSize="6" fontWeight="400" fill="var(--alcove-text-2)">
        412.60 GB of 2.00 TB used
      </text>
    </g>
  )
}

export type PhotoName = keyof typeof photos

interface PhotoProps extends PlaceProps {
  readonly name: PhotoName
  readonly width: number
  readonly height: number
}

/** A small landscape that stands for a photo. */
export function Photo({ name, ...place }: PhotoProps) {
  const id = useId()
  const { sky, shapes } = photos[name]
  return (
    <svg {...place} viewBox="0 0 96 72" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <clipPath id={`${id}c`}>
        <rect width="96" height="72" rx="6" />
      </clipPath>
      <linearGradient id={`${id}s`} x2="0" y2="1">
        {sky.map((color, index) => (
          <stop key={color} offset={index / (sky.length - 1)} stopColor={color} />
        ))}
      </linearGradient>
      <g clipPath={`url(#${id}c)`}>
        <rect width="96" height="72" fill={`url(#${id}s)`} />
        {shapes}
      </g>
    </svg>
  )
}

const photos = {
  dawn: {
    sky: ['#7A93BE', '#E9B49A', '#F8D9A8'],
    shapes: (
      <>
        <circle cx="60" cy="28" r="5" fill="#FFF3C9" />
        <path d="M0 40q14-8 26-3t24-4 24 3 22-4v40H0z" fill="#A98A9C" />
        <path d="M0 56q18-8 36-2t30-4 30 2v20H0z" fill="#33353F" />
      </>
    ),
  },
  coast: {
    sky: ['#17808F', '#0F5E73'],
    shapes: (
      <>
        <path d="M44 0c-4 14 10 20 14 32s16 16 38 22V0z" fill="#E2BE88" stroke="#DDF3F0" strokeWidth="3" />
        <path d="M58 0c-2 12 12 16 16 26s12 12 22 14V0z" fill="#2F5D34" />
      </>
    ),
  },
  stairs: {
    sky: ['#EBD0BF', '#DDB09C'],
    shapes: (
      <>
        <path d="M52 20a9 9 0 0 1 18 0v26H52z" fill="#8FB4CF" />
        <path d="M38 44h40v7h4v7h4v7h4v7H38z" fill="#C68A76" />
      </>
    ),
  },
  oranges: {
    sky: ['#E8DDD2', '#D8C9BB'],
    shapes: (
      <>
        <ellipse cx="50" cy="56" rx="34" ry="10" fill="#7FA79C" />
        <circle cx="38" cy="44" r="13" fill="#DE8A22" />
        <circle cx="60" cy="45" r="13" fill="#E6A02E" />
        <circle cx="49" cy="28" r="13" fill="#F0B23C" />
      </>
    ),
  },
  sea: {
    sky: ['#4A3F72', '#D97F6C', '#F5B45F'],
    shapes: (
      <>
        <path d="M0 40h96v32H0z" fill="#4B4968" />
        <circle cx="36" cy="32" r="6" fill="#FFE2A0" />
      </>
    ),
  },
} satisfies Record<string, { sky: readonly string[]; shapes: ReactNode }>
