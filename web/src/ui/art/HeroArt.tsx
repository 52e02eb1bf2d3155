import { AppPhone } from './AppPhone.tsx'
import { AppWindow } from './AppWindow.tsx'
import styles from './HeroArt.module.css'
import { Niche } from './Niche.tsx'

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
