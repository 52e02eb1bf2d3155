import {
  IconArrowLeft,
  IconCloudUpload,
  IconDownload,
  IconFolder,
  IconFolderPlus,
  IconFolderSymlink,
  IconFolderUp,
  IconHeart,
  IconMoon,
  IconMovie,
  IconMusic,
  IconShieldLock,
  IconTrash,
  IconUpload,
  type TablerIcon,
} from '@tabler/icons-react'
import { FileTypeSheet } from '../FileTypeSheet.tsx'
import { FolderGlyph } from '../FolderGlyph.tsx'
import { ButtonBox, Heart, LogoMark, MockIcon, Photo, type PhotoName, SearchBar, StorageUsage } from './app-parts.tsx'

/** A drawing of the file manager, 700 by 437. Decorative. */
export function AppWindow() {
  return (
    <g fontSize="7.5" fontWeight="600" fill="var(--alcove-text)">
      <rect width="700" height="437" rx="12" fill="var(--alcove-wall)" />
      <LogoMark x={14} y={12} />
      <SearchBar x={117} y={9} width={242} height={24} />
      <MockIcon Icon={IconMoon} x={655} y={16} />
      <rect x="675" y="12" width="17" height="18" rx="6" fill="#1C5141" />
      <text x="683.5" y="24" textAnchor="middle" fontSize="6.5" fill="#fff">
        M
      </text>
      <Places />
      <path
        d="M117 66a25 25 0 0 1 25-25h545a8 8 0 0 1 8 8v376a8 8 0 0 1-8 8H125a8 8 0 0 1-8-8z"
        fill="var(--alcove-panel)"
        stroke="var(--alcove-line)"
      />
      <rect x="131" y="49" width="162" height="42" rx="9" fill="var(--alcove-raised)" stroke="var(--alcove-line)" />
      <StorageUsage x={142} y={65} width={140} />
      <UploadBox />
      <ButtonBox x={131} y={99} width={40} height={18} label="Back" Icon={IconArrowLeft} />
      <text x="180" y="110.5">
        <tspan fill="var(--alcove-text-2)">Root › Photos › </tspan>Spring in Lisbon
      </text>
      <ButtonBox x={608} y={99} width={77} height={18} label="Create Folder" Icon={IconFolderPlus} />
      {['Alfama walks', 'Day trips', 'Prints to order', 'Voice notes'].map((name, index) => (
        <g key={name} transform={`translate(${131 + index * 140} 130)`}>
          <rect width="134" height="34" rx="8" fill="var(--alcove-raised)" stroke="var(--alcove-line)" />
          <g transform="translate(9 8)">
            <FolderGlyph size={19} />
          </g>
          <text x="36" y="20">
            {name}
          </text>
          {index === 0 && <Heart x={116} y={13} />}
        </g>
      ))}
      {files.map((file, index) => (
        <FileBox key={file.name} {...file} x={131 + (index % 5) * 112} y={index < 5 ? 182 : 298} />
      ))}
      <SelectionBar />
    </g>
  )
}

const places: readonly [name: string, Icon: TablerIcon][] = [
  ['Profile', IconFolder],
  ['Favorites', IconHeart],
  ['Vault', IconShieldLock],
  ['Music', IconMusic],
  ['Video', IconMovie],
  ['Trash', IconTrash],
]

function Places() {
  return (
    <>
      <rect x="7" y="33" width="104" height="19" rx="6" fill="var(--alcove-raised)" stroke="var(--alcove-line)" />
      <circle cx="101" cy="42.5" r="2.5" fill="var(--alcove-lamp)" />
      {places.map(([name, Icon], index) => (
        <g key={name} fill={index === 0 ? 'var(--alcove-text)' : 'var(--alcove-text-2)'}>
          <MockIcon Icon={Icon} x={13} y={38 + index * 20} />
          <text x="28" y={45.5 + index * 20}>
            {name}
          </text>
        </g>
      ))}
    </>
  )
}

function UploadBox() {
  return (
    <>
      <rect
        x="301"
        y="49"
        width="384"
        height="42"
        rx="9"
        fill="var(--alcove-sunk)"
        stroke="var(--alcove-text-3)"
        strokeDasharray="3 2.5"
      />
      <MockIcon Icon={IconCloudUpload} x={312} y={64} size={12} color="var(--alcove-primary-text)" />
      <text x="332" y="73">
        Drag and drop a file here to upload
      </text>
      <ButtonBox x={512} y={60} width={80} height={20} label="Upload Folder" Icon={IconFolderUp} />
      <ButtonBox x={600} y={60} width={74} height={20} label="Upload File" Icon={IconUpload} isPrimary />
    </>
  )
}

interface MockFile {
  readonly name: string
  readonly size: string
  readonly photo?: PhotoName
  readonly isSelected?: boolean
  readonly isFavorite?: boolean
}

const files: readonly MockFile[] = [
  { name: 'Miradouro at dawn.jpg', size: '6.2 MB', photo: 'dawn', isSelected: true, isFavorite: true },
  { name: 'Costa da Caparica.jpg', size: '8.9 MB', photo: 'coast', isSelected: true },
  { name: 'Guesthouse stairs.jpg', size: '5.4 MB', photo: 'stairs' },
  { name: 'Oranges.jpg', size: '4.8 MB', photo: 'oranges', isFavorite: true },
  { name: 'Last evening.mp4', size: '248 MB', photo: 'sea' },
  { name: 'Itinerary.pdf', size: '412 KB' },
  { name: 'Budget.xlsx', size: '36 KB', isSelected: true },
  { name: 'Fado.mp3', size: '9.3 MB' },
  { name: 'Letter to Inês.docx', size: '31 KB' },
  { name: 'Prints.zip', size: '86 MB' },
]

function FileBox({ name, size, photo, isSelected, isFavorite, x, y }: MockFile & { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      {isSelected && (
        <rect width="104" height="106" rx="9" fill="var(--alcove-selected)" stroke="var(--alcove-selected-ring)" />
      )}
      {photo ? (
        <Photo name={photo} x={4} y={4} width={96} height={72} />
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
      {isFavorite && (
        <>
          <rect x="82" y="8" width="14" height="14" rx="4" fill="var(--alcove-raised)" />
          <Heart x={85} y={11} />
        </>
      )}
      <text x="6" y="87" fontSize="6.8">
        {name}
      </text>
      <text x="6" y="96.5" fontSize="6" fontWeight="400" fill="var(--alcove-text-2)">
        {size}
      </text>
    </g>
  )
}

const actions: readonly [name: string, Icon: TablerIcon, x: number][] = [
  ['Download', IconDownload, 60],
  ['Move', IconFolderSymlink, 112],
  ['Favorite', IconHeart, 150],
  ['Delete', IconTrash, 198],
]

function SelectionBar() {
  return (
    <g transform="translate(278 394)" fontSize="7" fill="#fff">
      <rect width="246" height="27" rx="8" fill="var(--alcove-bar)" />
      <text x="10" y="16">
        3 selected
      </text>
      {actions.map(([name, Icon, x]) => (
        <g key={name}>
          <MockIcon Icon={Icon} x={x} y={9} color={name === 'Delete' ? '#FF9989' : '#fff'} />
          <text x={x + 13} y="16" fontWeight="500">
            {name}
          </text>
        </g>
      ))}
    </g>
  )
}
