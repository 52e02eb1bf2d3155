import { IconArrowLeft, IconFolderPlus, IconFolderUp, IconMenu2, IconUpload } from '@tabler/icons-react'
import { FolderGlyph } from '../FolderGlyph.tsx'
import { AppWindow } from './AppWindow.tsx'
import { ButtonBox, Heart, LogoMark, MockIcon, Photo, type PhotoName, SearchBar, StorageUsage } from './app-parts.tsx'
import styles from './HeroArt.module.css'
import { Niche } from './niches.tsx'

interface HeroArtProps {
  readonly className?: string
}

/** The large niche of the landing page with the product in it, on two screens. Decorative. */
export function HeroArt({ className }: HeroArtProps) {
  return (
    <div className={`${styles.art} ${className ?? ''}`} aria-hidden="true">
      <Niche className={styles.niche} width={668} height={812} depth={36} floor={0} hasShade={false} />
      <svg aria-hidden="true" className={styles.window} viewBox="0 0 700 437" focusable="false">
        <AppWindow />
      </svg>
      <svg aria-hidden="true" className={styles.phone} viewBox="0 0 164 341" focusable="false">
        <AppPhone />
      </svg>
    </div>
  )
}

const photos: readonly PhotoName[] = ['dawn', 'coast', 'oranges', 'stairs']

/** A drawing of the file manager on a phone, 164 by 341. Decorative. */
function AppPhone() {
  return (
    <g fontSize="7" fontWeight="600" fill="var(--alcove-text)">
      <rect width="164" height="341" rx="24" fill="#1B1614" stroke="var(--alcove-line-strong)" strokeWidth=".8" />
      <rect x="6" y="6" width="152" height="329" rx="18" fill="var(--alcove-wall)" />
      <LogoMark x={14} y={13} />
      <MockIcon Icon={IconMenu2} x={139} y={14.5} />
      <path
        d="M6 45a12 12 0 0 1 12-12h128a12 12 0 0 1 12 12v272a18 18 0 0 1-18 18H24a18 18 0 0 1-18-18z"
        fill="var(--alcove-panel)"
      />
      <SearchBar x={13} y={39} width={138} height={18} />
      <StorageUsage x={14} y={70} width={136} />
      <ButtonBox x={13} y={94} width={138} height={18} label="Upload File" Icon={IconUpload} isPrimary />
      <ButtonBox x={13} y={116} width={66} height={17} label="Upload Folder" Icon={IconFolderUp} />
      <ButtonBox x={85} y={116} width={66} height={17} label="Create Folder" Icon={IconFolderPlus} />
      <ButtonBox x={13} y={137} width={34} height={15} label="Back" Icon={IconArrowLeft} />
      <text x="53" y="147">
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
          {index === 0 && <Heart x={120} y={7.5} />}
        </g>
      ))}
      {photos.map((name, index) => (
        <Photo key={name} name={name} x={13 + (index % 2) * 71} y={index < 2 ? 211 : 266} width={67} height={50} />
      ))}
    </g>
  )
}
