import { IconSearch, type TablerIcon } from '@tabler/icons-react'

/** What both drawings of the product are made of, in the colors of the scheme. */

interface PlaceProps {
  readonly x: number
  readonly y: number
}

export function LogoMark({ x, y }: PlaceProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M0 12V6a5.5 5.5 0 0 1 11 0v6z" fill="#286854" />
      <path d="M4 12V7.5a2.75 2.75 0 0 1 5.5 0V12z" fill="#F4AC37" />
      <text x="17" y="10.5" fontFamily="var(--mantine-font-family-headings)" fontSize="12" fontWeight="400">
        Alcove
      </text>
    </g>
  )
}

interface HeartProps extends PlaceProps {
  readonly isLoved?: boolean
}

/** The heart of a favorite, 8 wide. */
export function Heart({ x, y, isLoved = true }: HeartProps) {
  return (
    <path
      transform={`translate(${x} ${y})`}
      d="M4 7.4 .9 4.3a2.1 2.1 0 0 1 3.1-2.9 2.1 2.1 0 0 1 3.1 2.9z"
      fill={isLoved ? 'var(--alcove-heart)' : 'none'}
      stroke={isLoved ? 'var(--alcove-heart)' : 'var(--alcove-text-2)'}
      strokeWidth=".7"
      strokeLinejoin="round"
    />
  )
}

interface MockIconProps extends PlaceProps {
  readonly Icon: TablerIcon
  readonly size?: number
  readonly color?: string
}

/** An icon of the product, with lines as thin as they are there. */
export function MockIcon({ Icon, x, y, size = 9, color = 'var(--alcove-text-2)' }: MockIconProps) {
  return <Icon x={x} y={y} size={size} stroke={2} color={color} />
}

interface ButtonProps extends PlaceProps {
  readonly width: number
  readonly height: number
  readonly label: string
  readonly Icon?: TablerIcon
  readonly isPrimary?: boolean
}

/** A button with its icon before its label, both centered. */
export function ButtonBox({ x, y, width, height, label, Icon, isPrimary = false }: ButtonProps) {
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
      {Icon && <MockIcon Icon={Icon} x={5} y={height / 2 - 4.5} color={color} />}
      <text x={width / 2 + (Icon ? 6.5 : 0)} y={height / 2 + 2.5} textAnchor="middle">
        {label}
      </text>
    </g>
  )
}

interface SearchProps extends PlaceProps {
  readonly width: number
  readonly height: number
  readonly hint: string
}

export function SearchBar({ x, y, width, height, hint }: SearchProps) {
  const line = height / 2 + 2.5
  return (
    <g transform={`translate(${x} ${y})`} fontWeight="400" fill="var(--alcove-text-2)">
      <rect width={width} height={height} rx="7" fill="var(--alcove-raised)" stroke="var(--alcove-line-strong)" />
      <MockIcon Icon={IconSearch} x={7} y={height / 2 - 4.5} />
      <text x="21" y={line} fill="var(--alcove-text-3)">
        {hint}
      </text>
      <text x={width - 60} y={line}>
        Clear
      </text>
      <rect x={width - 35} y="3" width="32" height={height - 6} rx="5" fill="var(--alcove-selected)" />
      <text x={width - 19} y={line} textAnchor="middle" fontWeight="600" fill="var(--alcove-primary-text)">
        Search
      </text>
    </g>
  )
}
