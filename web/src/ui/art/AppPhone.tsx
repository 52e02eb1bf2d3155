import { FolderGlyph } from '../FolderGlyph.tsx'
import { Heart, LogoMark } from './AppWindow.tsx'
import { Scene, type SceneName } from './Scene.tsx'

const scenes: readonly SceneName[] = ['dawn', 'coast', 'oranges', 'stairs']

/** The file manager on a phone as a small drawing, 164 by 341. Decorative. */
export function AppPhone() {
  return (
    <g fontSize="7" fontWeight="600" fill="var(--alcove-text)">
      <rect width="164" height="341" rx="24" fill="#1B1614" stroke="var(--alcove-line-strong)" strokeWidth=".8" />
      <rect x="6" y="6" width="152" height="329" rx="18" fill="var(--alcove-wall)" />
      <LogoMark x={14} y={13} />
      <path d="M139 15.5h9M139 19h9M139 22.5h9" stroke="currentColor" strokeWidth="1.2" />
      <path
        d="M6 45a12 12 0 0 1 12-12h128a12 12 0 0 1 12 12v272a18 18 0 0 1-18 18H24a18 18 0 0 1-18-18z"
        fill="var(--alcove-panel)"
      />
      <rect x="13" y="39" width="138" height="18" rx="6" fill="var(--alcove-sunk)" stroke="var(--alcove-line-strong)" />
      <text x="24" y="50.5" fontWeight="400" fill="var(--alcove-text-3)">
        Search files
      </text>
      <text x="14" y="70">
        Your Storage Usage
      </text>
      <text x="150" y="70" textAnchor="end">
        20.15%
      </text>
      <rect x="14" y="74" width="136" height="3.5" rx="1.75" fill="var(--alcove-press)" />
      <rect x="14" y="74" width="28" height="3.5" rx="1.75" fill="#3D846B" />
      <rect x="35" y="74" width="7" height="3.5" rx="1.75" fill="var(--alcove-lamp)" />
      <rect x="13" y="91" width="138" height="19" rx="6" fill="var(--alcove-primary)" />
      <text x="82" y="103" textAnchor="middle" fill="var(--alcove-on-primary)">
        Upload File
      </text>
      <rect
        x="13"
        y="114"
        width="66"
        height="18"
        rx="6"
        fill="var(--alcove-raised)"
        stroke="var(--alcove-line-strong)"
      />
      <text x="46" y="125.5" textAnchor="middle">
        Upload Folder
      </text>
      <rect
        x="85"
        y="114"
        width="66"
        height="18"
        rx="6"
        fill="var(--alcove-raised)"
        stroke="var(--alcove-line-strong)"
      />
      <text x="118" y="125.5" textAnchor="middle">
        Create Folder
      </text>
      {['Alfama walks', 'Day trips'].map((name, index) => (
        <g key={name} transform={`translate(13 ${140 + index * 28})`}>
          <rect width="138" height="24" rx="7" fill="var(--alcove-raised)" stroke="var(--alcove-line)" />
          <g transform="translate(7 5)">
            <FolderGlyph size={18} />
          </g>
          <text x="32" y="14.5">
            {name}
          </text>
          {index === 0 && <Heart x={112} y={8} />}
        </g>
      ))}
      {scenes.map((name, index) => (
        <g key={name} transform={`translate(${13 + (index % 2) * 71} ${index < 2 ? 200 : 272})`}>
          <Scene name={name} x={0} y={0} width={67} height={50} />
          <rect y="55" width="44" height="4" rx="2" fill="var(--alcove-press)" />
        </g>
      ))}
    </g>
  )
}
