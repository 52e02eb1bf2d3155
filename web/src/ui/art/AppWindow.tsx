import {
  IconArrowLeft,
  IconChevronRight,
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
  IconX,
  type TablerIcon,
} from '@tabler/icons-react'
import { FolderGlyph } from '../FolderGlyph.tsx'
import { AppPhotos } from './AppPhotos.tsx'
import { ButtonBox, Heart, LogoMark, MockIcon, SearchBar } from './app-parts.tsx'

/** The file manager as a small drawing, 700 by 437, in the colors of the scheme. Decorative. */
export function AppWindow() {
  return (
    <g fontSize="7.5" fontWeight="600" fill="var(--alcove-text)">
      <rect width="700" height="437" rx="12" fill="var(--alcove-wall)" />
      <LogoMark x={14} y={12} />
      <SearchBar x={117} y={9} width={242} height={24} hint="Search files and folders" />
      <MockIcon Icon={IconMoon} x={655} y={16} />
      <Avatar />
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
      <AppPhotos />
      <SelectionBar />
    </g>
  )
}

/** In the proportions of the one in the header: 34 by 36. */
function Avatar() {
  return (
    <>
      <path
        d="M675 19.5a7 7 0 0 1 7-7h3a7 7 0 0 1 7 7v6a5 5 0 0 1-5 5h-7a5 5 0 0 1-5-5z"
        fill="#1C5141"
        stroke="none"
      />
      <text x="683.5" y="24" textAnchor="middle" fontSize="6.5" fill="#fff">
        M
      </text>
    </>
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
          <text x="28" y={45.5 + index * 20} fontWeight={index === 0 ? 650 : 500}>
            {name}
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
      <path d="M311 69a9 9 0 0 1 18 0v8a3 3 0 0 1-3 3h-12a3 3 0 0 1-3-3z" fill="var(--alcove-plate)" />
      <MockIcon Icon={IconCloudUpload} x={315} y={65.5} size={10} color="var(--alcove-primary-text)" />
      <text x="337" y="73">
        Drag and drop a file here to upload
      </text>
      <ButtonBox x={512} y={60} width={80} height={20} label="Upload Folder" Icon={IconFolderUp} />
      <ButtonBox x={600} y={60} width={74} height={20} label="Upload File" Icon={IconUpload} isPrimary />
    </>
  )
}

function Toolbar() {
  return (
    <>
      <ButtonBox x={131} y={99} width={40} height={18} label="Back" Icon={IconArrowLeft} />
      <g fontWeight="500" fill="var(--alcove-text-2)">
        <text x="180" y="110.5">
          Root
        </text>
        <MockIcon Icon={IconChevronRight} x={199} y={104} size={8} />
        <text x="211" y="110.5">
          Photos
        </text>
        <MockIcon Icon={IconChevronRight} x={239} y={104} size={8} />
      </g>
      <text x="251" y="110.5" fontSize="8">
        Spring in Lisbon
      </text>
      <ButtonBox x={608} y={99} width={77} height={18} label="Create Folder" Icon={IconFolderPlus} />
      <g fontSize="7" fill="var(--alcove-text-2)">
        <text x="131" y="131">
          Folders
        </text>
        <text x="131" y="187">
          Files
        </text>
      </g>
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

const actions: readonly [name: string, Icon: TablerIcon, x: number][] = [
  ['Download', IconDownload, 60],
  ['Move', IconFolderSymlink, 112],
  ['Favorite', IconHeart, 150],
  ['Delete', IconTrash, 198],
]

function SelectionBar() {
  return (
    <g transform="translate(272 396)" fontSize="7" fill="#fff">
      <rect width="258" height="27" rx="8" fill="var(--alcove-bar)" />
      <text x="10" y="16">
        3 selected
      </text>
      <path d="M51 8v11" stroke="#fff" strokeOpacity=".25" strokeWidth=".7" />
      {actions.map(([name, Icon, x]) => (
        <g key={name}>
          <MockIcon Icon={Icon} x={x} y={9} color={name === 'Delete' ? '#FF9989' : '#fff'} />
          <text x={x + 13} y="16" fontWeight="500">
            {name}
          </text>
        </g>
      ))}
      <MockIcon Icon={IconX} x={241} y={9} color="#fff" />
    </g>
  )
}
