import { FileTypeSheet } from '../FileTypeSheet.tsx'
import { FolderGlyph } from '../FolderGlyph.tsx'
import { Scene, type SceneName } from './Scene.tsx'

/** The file manager as a small drawing, 700 by 437, in the colors of the scheme. Decorative. */
export function AppWindow() {
  return (
    <g fontSize="7.5" fontWeight="600" fill="var(--alcove-text)">
      <rect width="700" height="437" rx="12" fill="var(--alcove-wall)" />
      <LogoMark x={14} y={12} />
      <Bar />
      <Places />
      <path
        d="M117 66a25 25 0 0 1 25-25h545a8 8 0 0 1 8 8v376a8 8 0 0 1-8 8H125a8 8 0 0 1-8-8z"
        fill="var(--alcove-panel)"
        stroke="var(--alcove-line)"
      />
      <Storage />
      <Toolbar />
      {['Alfama walks', 'Day trips', 'Prints to order', 'Voice notes'].map((name, index) => (
        <FolderBox key={name} name={name} x={131 + index * 140} isLoved={index === 0} />
      ))}
      {photos.map((photo, index) => (
        <FileBox key={photo.name} {...photo} x={131 + (index % 5) * 112} y={index < 5 ? 196 : 308} />
      ))}
    </g>
  )
}

interface PlaceProps {
  readonly x: number
  readonly y: number
}

export function LogoMark({ x, y }: PlaceProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M0 12V6a5.5 5.5 0 0 1 11 0v6z" fill="#286854" />
      <path d="M4 12V7.5a2.75 2.75 0 0 1 5.5 0V12z" fill="#F4AC37" />
      <text x="17" y="10.5" fontFamily="'Young Serif', serif" fontSize="12" fontWeight="400">
        Alcove
      </text>
    </g>
  )
}

function Bar() {
  return (
    <>
      <rect
        x="117"
        y="9"
        width="242"
        height="24"
        rx="7"
        fill="var(--alcove-raised)"
        stroke="var(--alcove-line-strong)"
      />
      <g fill="var(--alcove-text-3)" fontWeight="400">
        <text x="134" y="23.5">
          Search files and folders
        </text>
        <text x="300" y="23.5">
          Clear
        </text>
      </g>
      <rect x="325" y="12.5" width="30" height="17" rx="5" fill="var(--alcove-selected)" />
      <text x="340" y="23.5" textAnchor="middle" fontSize="7" fill="var(--alcove-primary-text)">
        Search
      </text>
      <path d="M676 14.5a8.5 8.5 0 0 1 17 0V26a4 4 0 0 1-4 4h-9a4 4 0 0 1-4-4z" fill="#1C5141" />
      <text x="684.5" y="23.5" textAnchor="middle" fontSize="7" fill="#fff">
        M
      </text>
    </>
  )
}

function Places() {
  return (
    <>
      <rect x="7" y="33" width="104" height="19" rx="6" fill="var(--alcove-raised)" stroke="var(--alcove-line)" />
      <circle cx="101" cy="42.5" r="2.5" fill="var(--alcove-lamp)" />
      {['Profile', 'Favorites', 'Vault', 'Music', 'Video', 'Trash'].map((place, index) => (
        <g key={place} fill={index === 0 ? 'var(--alcove-text)' : 'var(--alcove-text-2)'}>
          <rect x="14" y={39 + index * 20} width="7" height="7" rx="2" fill="none" stroke="currentColor" opacity=".6" />
          <text x="28" y={45.5 + index * 20} fontWeight={index === 0 ? 650 : 500}>
            {place}
          </text>
        </g>
      ))}
    </>
  )
}

function Storage() {
  return (
    <>
      <rect x="131" y="49" width="162" height="42" rx="9" fill="var(--alcove-raised)" stroke="var(--alcove-line)" />
      <text x="142" y="64">
        Your Storage Usage
      </text>
      <text x="282" y="64" textAnchor="end">
        20.15%
      </text>
      <rect x="142" y="70" width="140" height="4" rx="2" fill="var(--alcove-press)" />
      <rect x="142" y="70" width="30" height="4" rx="2" fill="#3D846B" />
      <rect x="164" y="70" width="8" height="4" rx="2" fill="var(--alcove-lamp)" />
      <text x="142" y="84" fontSize="6.5" fontWeight="400" fill="var(--alcove-text-2)">
        412.60 GB of 2.00 TB used
      </text>
      <rect
        x="301"
        y="49"
        width="384"
        height="42"
        rx="9"
        fill="var(--alcove-sunk)"
        stroke="var(--alcove-text-3)"
        strokeDasharray="3 2.5"
        opacity=".9"
      />
      <path d="M312 69a9 9 0 0 1 18 0v8a3 3 0 0 1-3 3h-12a3 3 0 0 1-3-3z" fill="var(--alcove-plate)" />
      <text x="340" y="73">
        Drag and drop a file here to upload
      </text>
      <rect
        x="522"
        y="60"
        width="72"
        height="20"
        rx="6"
        fill="var(--alcove-raised)"
        stroke="var(--alcove-line-strong)"
      />
      <text x="558" y="72.5" textAnchor="middle">
        Upload Folder
      </text>
      <rect x="602" y="60" width="72" height="20" rx="6" fill="var(--alcove-primary)" />
      <text x="638" y="72.5" textAnchor="middle" fill="var(--alcove-on-primary)">
        Upload File
      </text>
    </>
  )
}

function Toolbar() {
  return (
    <>
      <rect
        x="131"
        y="99"
        width="36"
        height="18"
        rx="5"
        fill="var(--alcove-raised)"
        stroke="var(--alcove-line-strong)"
      />
      <text x="149" y="110.5" textAnchor="middle">
        Back
      </text>
      <text x="176" y="110.5" fontWeight="500" fill="var(--alcove-text-2)">
        Root › Photos ›
      </text>
      <text x="233" y="110.5" fontSize="8">
        Spring in Lisbon
      </text>
      <rect
        x="622"
        y="99"
        width="63"
        height="18"
        rx="5"
        fill="var(--alcove-raised)"
        stroke="var(--alcove-line-strong)"
      />
      <text x="653.5" y="110.5" textAnchor="middle">
        Create Folder
      </text>
      <text x="131" y="131" fontSize="7" fill="var(--alcove-text-2)">
        Folders
      </text>
      <text x="131" y="187" fontSize="7" fill="var(--alcove-text-2)">
        Files
      </text>
    </>
  )
}

interface FolderBoxProps {
  readonly name: string
  readonly x: number
  readonly isLoved: boolean
}

function FolderBox({ name, x, isLoved }: FolderBoxProps) {
  return (
    <g transform={`translate(${x} 137)`}>
      <rect width="134" height="34" rx="8" fill="var(--alcove-raised)" stroke="var(--alcove-line)" />
      <g transform="translate(9 10)">
        <FolderGlyph size={19} />
      </g>
      <text x="36" y="16">
        {name}
      </text>
      <text x="36" y="25.5" fontSize="6" fontWeight="400" fill="var(--alcove-text-2)">
        Modified 29 Apr
      </text>
      {isLoved && <Heart x={116} y={13} />}
    </g>
  )
}

export function Heart({ x, y }: PlaceProps) {
  return (
    <path
      d={`M${x + 4} ${y + 8}C${x - 4} ${y + 2} ${x + 1.5} ${y - 2.5} ${x + 4} ${y + 1.5}c2.5-4 8 .5 0 6.5z`}
      fill="var(--alcove-heart)"
    />
  )
}

interface Photo {
  readonly name: string
  readonly meta: string
  readonly scene?: SceneName
  readonly isSelected?: boolean
}

const photos: readonly Photo[] = [
  { name: 'Miradouro at dawn.jpg', meta: '6.2 MB · 2 May', scene: 'dawn', isSelected: true },
  { name: 'Costa da Caparica.jpg', meta: '8.9 MB · 2 May', scene: 'coast', isSelected: true },
  { name: 'Guesthouse stairs.jpg', meta: '5.4 MB · 1 May', scene: 'stairs' },
  { name: 'Cloister arcade.jpg', meta: '7.1 MB · 1 May', scene: 'arcade' },
  { name: 'Last evening.mp4', meta: '248 MB · 30 Apr', scene: 'sea' },
  { name: 'Itinerary.pdf', meta: '412 KB · 30 Apr' },
  { name: 'Oranges for breakfast.jpg', meta: '4.8 MB · 29 Apr', scene: 'oranges' },
  { name: 'Budget and receipts.xlsx', meta: '36 KB · 28 Apr', isSelected: true },
  { name: 'Fado at Mesa de Frades.mp3', meta: '9.3 MB · 28 Apr' },
  { name: 'Letter to Inês.docx', meta: '31 KB · 27 Apr' },
]

function FileBox({ name, meta, scene, isSelected, x, y }: Photo & PlaceProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      {isSelected && (
        <rect
          x="-1"
          y="-1"
          width="106"
          height="106"
          rx="9"
          fill="var(--alcove-selected)"
          stroke="var(--alcove-selected-ring)"
        />
      )}
      {scene ? (
        <Scene name={scene} x={4} y={4} width={96} height={72} />
      ) : (
        <>
          <rect x="4" y="4" width="96" height="72" rx="6" fill="var(--alcove-sunk)" stroke="var(--alcove-line)" />
          <g transform="translate(38 21)">
            <FileTypeSheet filename={name} size={28} />
          </g>
        </>
      )}
      <text x="6" y="87" fontSize="6.8">
        {name}
      </text>
      <text x="6" y="96.5" fontSize="6" fontWeight="400" fill="var(--alcove-text-2)">
        {meta}
      </text>
    </g>
  )
}
