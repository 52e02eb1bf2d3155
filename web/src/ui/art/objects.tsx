/** The objects in the niches: flat shapes with a darker left side. The base of each is at 0, 0. */

interface PlacedProps {
  readonly x: number
  readonly y: number
  readonly scale?: number
}

function placed({ x, y, scale = 1 }: PlacedProps): string {
  return `translate(${x} ${y}) scale(${scale})`
}

interface ShadowProps {
  readonly x: number
  readonly y: number
  readonly rx: number
  readonly ry?: number
}

export function Shadow({ x, y, rx, ry = rx * 0.14 }: ShadowProps) {
  return <ellipse cx={x} cy={y} rx={rx} ry={ry} fill="#0C2921" opacity=".45" />
}

interface VaseProps extends PlacedProps {
  /** The branch has five leaves in the larger picture, three in the smaller one. */
  readonly isFull?: boolean
}

/** A white vase with a branch: 104 wide, 340 high with the full branch. */
export function Vase({ isFull = false, ...place }: VaseProps) {
  return (
    <g transform={placed(place)}>
      <path d="M0-158C-4-214-8-262-24-312" fill="none" stroke="#CDE6BD" strokeWidth="7" strokeLinecap="round" />
      <path d="M-14-268c-30-6-44-22-50-40 26-2 46 12 50 40z" fill="#A9D097" />
      <path d="M-24-306c-26-14-28-34-24-56 22 8 32 30 24 56z" fill="#A9D097" />
      {isFull ? (
        <>
          <path d="M2-186c6-40 16-66 36-94" fill="none" stroke="#CDE6BD" strokeWidth="7" strokeLinecap="round" />
          <path d="M-4-192c-14-22-32-32-48-30 4 20 24 34 48 30z" fill="#A9D097" />
          <path d="M-8-218c-2-28 12-44 34-50 6 24-8 44-34 50z" fill="#A9D097" />
          <path d="M26-250c0-24 16-34 38-34-2 24-16 38-38 34z" fill="#A9D097" />
        </>
      ) : (
        <path d="M-9-230c2-24 18-38 40-42 4 22-14 42-40 42z" fill="#A9D097" />
      )}
      <path d="M-27-158H27c0 46 27 58 27 96 0 30-14 48-36 62h-36c-22-14-36-32-36-62 0-38 27-50 27-96z" fill="#F5F0ED" />
      <path
        d="M-27-158h16c-2 46-18 58-18 96 0 30 10 48 28 62h-17c-22-14-36-32-36-62 0-38 27-50 27-96z"
        fill="#CABDB8"
      />
      {isFull && <path d="M-48-66c30 12 66 12 96 0v18c-30 12-66 12-96 0z" fill="#61A58C" />}
    </g>
  )
}

/** Three books with an orange on top: 228 wide, 172 high. */
export function Books(place: PlacedProps) {
  return (
    <g transform={placed(place)}>
      <rect x="-114" y="-44" width="228" height="44" rx="6" fill="#BA3728" />
      <path d="M96-38h18v32H96z" fill="#FEEDE9" />
      <rect x="-96" y="-80" width="198" height="36" rx="6" fill="#F4AC37" />
      <rect x="-106" y="-110" width="184" height="30" rx="6" fill="#EFE7E3" />
      <circle cx="-40" cy="-141" r="31" fill="#DE9227" />
    </g>
  )
}

/** An armchair with a cushion: 268 wide, 254 high. */
export function Armchair(place: PlacedProps) {
  return (
    <g transform={placed(place)}>
      <path d="M-92-36-100 0M80-36 88 0" stroke="#4F2B13" strokeWidth="12" strokeLinecap="round" />
      <path d="M-99-70v-82a99 99 0 0 1 198 0v82z" fill="#C9523D" />
      <path d="M0-251c-46 8-68 62-68 112v69h-31v-82A99 99 0 0 1 0-251z" fill="#8F2D20" />
      <path
        d="M-42-218c-12 30-14 70-14 92M0-236v92M42-218c8 26 8 58 8 90"
        fill="none"
        stroke="#B24331"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <rect x="-106" y="-74" width="196" height="46" rx="12" fill="#A83828" />
      <rect x="-80" y="-112" width="160" height="36" rx="10" fill="#E07B5F" />
      <g transform="rotate(-9 -32 -138)">
        <rect x="-70" y="-174" width="76" height="70" rx="18" fill="#FCC35D" />
        <path d="M-52-174h14v70h-14a18 18 0 0 1-18-18v-34a18 18 0 0 1 18-18z" fill="#DE9227" />
      </g>
      <rect x="-134" y="-142" width="60" height="116" rx="28" fill="#A83828" />
      <rect x="74" y="-142" width="60" height="116" rx="28" fill="#B24331" />
      <path d="M106-142a28 28 0 0 1 28 28v60a28 28 0 0 1-28 28c-14-8-20-22-20-34v-48c0-14 6-26 20-34z" fill="#D4624A" />
    </g>
  )
}

/** A floor lamp: 66 wide, 320 high. */
export function FloorLamp(place: PlacedProps) {
  return (
    <g transform={placed(place)}>
      <ellipse cx="0" cy="-4" rx="33" ry="7" fill="#2A2421" />
      <path d="M-3-262h6V-4h-6z" fill="#2A2421" />
      <path d="M-18-320h36l15 60h-66z" fill="#FEEDC9" />
      <path d="M-18-320h10l1 60h-26z" fill="#FED383" />
    </g>
  )
}

/** A laptop and a phone: 210 wide, 110 high. */
export function Devices(place: PlacedProps) {
  const apps = ['#3D846B', '#DE9227', '#1F6B9B', '#BA3728', '#F4AC37', '#D6C9C4']
  return (
    <g transform={placed(place)}>
      <rect x="-84" y="-92" width="124" height="80" rx="7" fill="#2A2421" />
      <rect x="-78" y="-86" width="112" height="70" rx="2" fill="#FCFAF8" />
      <path d="M-78-86h26v70h-26z" fill="#EFE7E2" />
      {apps.map((color, index) => (
        <rect
          key={color}
          x={-44 + (index % 3) * 25}
          y={index < 3 ? -68 : -44}
          width="20"
          height="17"
          rx="4"
          fill={color}
        />
      ))}
      <path d="M-104-12H52l6 8a4 4 0 0 1-4 4h-154a4 4 0 0 1-4-4z" fill="#D6C9C4" />
      <rect x="44" y="-70" width="42" height="72" rx="8" fill="#2A2421" />
      <rect x="49" y="-64" width="32" height="60" rx="4" fill="#FCFAF8" />
      {apps.slice(0, 4).map((color, index) => (
        <rect
          key={color}
          x={53 + (index % 2) * 13}
          y={index < 2 ? -56 : -40}
          width="11"
          height="12"
          rx="3"
          fill={color}
        />
      ))}
      <rect x="53" y="-20" width="24" height="9" rx="3" fill="#1C5141" />
    </g>
  )
}

/** A padlock: 124 wide, 156 high. */
export function Padlock(place: PlacedProps) {
  return (
    <g transform={placed(place)}>
      <path d="M-31-86v-30a31 31 0 0 1 62 0v30" fill="none" stroke="#E5DAD3" strokeWidth="14" />
      <path d="M-31-86v-30a31 31 0 0 1 31-31" fill="none" stroke="#B2A49F" strokeWidth="14" />
      <rect x="-62" y="-94" width="124" height="94" rx="14" fill="#DE9227" />
      <rect x="-50" y="-82" width="100" height="70" rx="6" fill="#FCC35D" />
      <path d="M-50-76a6 6 0 0 1 6-6h22v70h-22a6 6 0 0 1-6-6z" fill="#F4AC37" />
      <path d="M0-64a12 12 0 0 1 6 22l4 18h-20l4-18a12 12 0 0 1 6-22z" fill="#4F2B13" />
    </g>
  )
}

/** A heart on a plinth: 92 wide, 112 high. */
export function Heart(place: PlacedProps) {
  return (
    <g transform={placed(place)}>
      <rect x="-36" y="-28" width="72" height="28" rx="3" fill="#EFE7E2" />
      <path d="M-36-25a3 3 0 0 1 3-3H-6V0h-27a3 3 0 0 1-3-3z" fill="#D6C9C4" />
      <path
        d="M0-28c-14-14-46-34-46-60 0-16 12-24 23-24s19 6 23 14c4-8 12-14 23-14s23 8 23 24c0 26-32 46-46 60z"
        fill="#B22C45"
      />
      <path
        d="M0-28c-12-16-34-36-34-60 0-14 8-22 18-23 7 1 13 6 16 13 4-8 12-14 23-14s23 8 23 24c0 26-32 46-46 60z"
        fill="#E44A65"
      />
      <path d="M20-103c9 0 16 6 18 15" fill="none" stroke="#FFC5CD" strokeWidth="5" strokeLinecap="round" />
    </g>
  )
}

/** A key that hangs from a nail on a ribbon: 92 wide, 332 high below the nail. */
export function Key(place: PlacedProps) {
  return (
    <g transform={placed(place)}>
      <path
        d={`M-4 4 10 116h8L6 4z${KEY}`}
        fill="#0C2921"
        opacity=".3"
        fillRule="evenodd"
        transform="translate(16 10)"
      />
      <path d="M0 0C-8 36-22 78-12 128H0C-10 84-4 42 4 0z" fill="#8F2D20" />
      <path d="M0 0c8 36 22 78 12 128H0C10 84 4 42-4 0z" fill="#C9523D" />
      <path d={KEY} fill="#FCC35D" fillRule="evenodd" />
      <path d="M0 100v20a26 26 0 0 0 0 52v160l-12-8V190a46 46 0 0 1 12-90z" fill="#DE9227" />
      <circle r="9" fill="#D6C9C4" />
      <path d="M0-9a9 9 0 0 1 0 18z" fill="#FCFAF8" />
    </g>
  )
}

const KEY =
  'M0 100a46 46 0 0 1 12 90v64h34v20H12v14h26v20H12v16l-12 8-12-8V190a46 46 0 0 1 12-90zm0 20a26 26 0 1 0 0 52 26 26 0 0 0 0-52z'
