import { FileTypeSheet } from '../FileTypeSheet.tsx'
import { Heart } from './app-parts.tsx'
import { Scene, type SceneName } from './Scene.tsx'

interface Photo {
  readonly name: string
  readonly meta: string
  readonly scene?: SceneName
  readonly isSelected?: boolean
  readonly isLoved?: boolean
}

const photos: readonly Photo[] = [
  { name: 'Miradouro at dawn.jpg', meta: '6.2 MB · 2 May', scene: 'dawn', isSelected: true, isLoved: true },
  { name: 'Costa da Caparica.jpg', meta: '8.9 MB · 2 May', scene: 'coast', isSelected: true },
  { name: 'Guesthouse stairs.jpg', meta: '5.4 MB · 1 May', scene: 'stairs' },
  { name: 'Cloister arcade.jpg', meta: '7.1 MB · 1 May', scene: 'arcade', isLoved: true },
  { name: 'Last evening.mp4', meta: '248 MB · 30 Apr', scene: 'sea' },
  { name: 'Itinerary.pdf', meta: '412 KB · 30 Apr' },
  { name: 'Oranges.jpg', meta: '4.8 MB · 29 Apr', scene: 'oranges' },
  { name: 'Budget.xlsx', meta: '36 KB · 28 Apr', isSelected: true },
  { name: 'Fado.mp3', meta: '9.3 MB · 28 Apr' },
  { name: 'Letter to Inês.docx', meta: '31 KB · 27 Apr' },
]

/** The files in the drawing of the file manager: five in a row. */
export function AppPhotos() {
  return photos.map((photo, index) => (
    <FileBox key={photo.name} {...photo} x={131 + (index % 5) * 112} y={index < 5 ? 196 : 308} />
  ))
}

interface FileBoxProps extends Photo {
  readonly x: number
  readonly y: number
}

function FileBox({ name, meta, scene, isSelected, isLoved, x, y }: FileBoxProps) {
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
      {isSelected && (
        <>
          <rect x="8" y="8" width="10" height="10" rx="3" fill="var(--alcove-primary)" />
          <path d="m10.5 13 2 2 3.3-3.6" fill="none" stroke="var(--alcove-on-primary)" strokeWidth="1.3" />
        </>
      )}
      {isLoved && (
        <>
          <rect x="82" y="8" width="14" height="14" rx="4" fill="var(--alcove-raised)" />
          <Heart x={85} y={11} />
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
