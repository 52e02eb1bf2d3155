import { Menu } from '@mantine/core'
import { IconGauge } from '@tabler/icons-react'
import { Dropdown } from '../../../ui/Dropdown.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import styles from './PlayerBanner.module.css'
import { adjust } from './player.ts'

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const

/** How fast a track is heard. */
export function SpeedMenu({ speed }: { readonly speed: number }) {
  return (
    <Dropdown width={120} position="top">
      <Menu.Target>
        <IconButton className={styles.tool} data-on={speed !== 1 || undefined} label={`Speed: ${speed}×`}>
          <IconGauge size={20} stroke={1.75} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={String(speed)} onChange={(choice) => adjust({ speed: Number(choice) })}>
          {SPEEDS.map((choice) => (
            <Menu.RadioItem closeMenuOnClick key={choice} value={String(choice)}>
              {choice}×
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Dropdown>
  )
}
