import {
  IconArrowLeft,
  IconDotsVertical,
  IconFolderPlus,
  IconFolderUp,
  IconMenu2,
  IconMoon,
  IconUpload,
} from '@tabler/icons-react'
import { FolderGlyph } from '../FolderGlyph.tsx'
import { ButtonBox, Heart, LogoMark, MockIcon, SearchBar } from './app-parts.tsx'
import { Scene, type SceneName } from './Scene.tsx'

const photos: readonly { name: string; meta: string; scene: SceneName }[] = [
  { name: 'Miradouro.jpg', meta: '6.2 MB', scene: 'dawn' },
  { name: 'Caparica.jpg', meta: '8.9 MB', scene: 'coast' },
  { name: 'Oranges.jpg', meta: '4.8 MB', scene: 'oranges' },
  { name: 'Stairs.jpg', meta: '5.4 MB', scene: 'stairs' },
]

/** The file manager on a phone as a small drawing, 164 by 341. Decorative. */
export function AppPhone() {
  return (
    <g fontSize="7" fontWeight="600" fill="var(--alcove-text)">
      <rect width="164" height="341" rx="24" fill="#1B1614" stroke="var(--alcove-line-strong)" strokeWidth=".8" />
      <rect x="6" y="6" width="152" height="329" rx="18" fill="var(--alcove-wall)" />
      <LogoMark x={14} y={13} />
      <MockIcon Icon={IconMoon} x={121} y={14.5} />
      <MockIcon Icon={IconMenu2} x={139} y={14.5} />
      <path
        d="M6 45a12 12 0 0 1 12-12h128a12 12 0 0 1 12 12v272a18 18 0 0 1-18 18H24a18 18 0 0 1-18-18z"
        fill="var(--alcove-panel)"
      />
      <SearchBar x={13} y={39} width={138} height={18} hint="Search files" />
      <text x="14" y="70">
        Your Storage Usage
      </text>
      <text x="150" y="70" textAnchor="end">
        20.15%
      </text>
      <rect x="14" y="74" width="136" height="3.5" rx="1.75" fill="var(--alcove-press)" />
      <rect x="14" y="74" width="28" height="3.5" rx="1.75" fill="#3D846B" />
      <rect x="35" y="74" width="7" height="3.5" rx="1.75" fill="var(--alcove-lamp)" />
      <text x="14" y="86" fontSize="5.5" fontWeight="400" fill="var(--alcove-text-2)">
        412.60 GB of 2.00 TB used
      </text>
      <ButtonBox x={13} y={92} width={138} height={18} label="Upload File" isPrimary />
      <MockIcon Icon={IconUpload} x={52} y={96.5} color="var(--alcove-on-primary)" />
      <ButtonBox x={13} y={114} width={66} height={17} label="Upload Folder" Icon={IconFolderUp} />
      <ButtonBox x={85} y={114} width={66} height={17} label="Create Folder" Icon={IconFolderPlus} />
      <ButtonBox x={13} y={136} width={34} height={15} label="Back" Icon={IconArrowLeft} />
      <text x="53" y="146">
        <tspan fontWeight="500" fill="var(--alcove-text-2)">
          … ›{' '}
        </tspan>
        Spring in Lisbon
      </text>
      {['Alfama walks', 'Day trips'].map((name, index) => (
        <g key={name} transform={`translate(13 ${156 + index * 26})`}>
          <rect width="138" height="23" rx="7" fill="var(--alcove-raised)" stroke="var(--alcove-line)" />
          <g transform="translate(7 4.5)">
            <FolderGlyph size={18} />
          </g>
          <text x="32" y="14">
            {name}
          </text>
          <Heart x={108} y={7.5} isLoved={index === 0} />
          <MockIcon Icon={IconDotsVertical} x={123} y={7} />
        </g>
      ))}
      {photos.map(({ name, meta, scene }, index) => (
        <g key={name} transform={`translate(${13 + (index % 2) * 71} ${index < 2 ? 211 : 281})`}>
          <Scene name={scene} x={0} y={0} width={67} height={47} />
          {index < 2 && (
            <>
              <text x="2" y="55.5" fontSize="6.5">
                {name}
              </text>
              <text x="2" y="63" fontSize="5.5" fontWeight="400" fill="var(--alcove-text-2)">
                {meta}
              </text>
              <MockIcon Icon={IconDotsVertical} x={58} y={52} />
            </>
          )}
        </g>
      ))}
    </g>
  )
}
