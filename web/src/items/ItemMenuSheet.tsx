import { Drawer } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useOverlay } from '../ui/dialogs/use-overlay.ts'
import styles from './ItemMenu.module.css'
import type { MenuChoice } from './item-menu.ts'

interface ItemMenuSheetProps {
  readonly label: string
  readonly heading: ReactNode
  readonly groups: readonly (readonly MenuChoice[])[]
  readonly onClose: () => void
}

/** The menu of items where a finger does the pointing: a sheet at the lower edge, with rows that are easily hit. */
export function ItemMenuSheet({ label, heading, groups, onClose }: ItemMenuSheetProps) {
  const [isOpen, setIsOpen] = useState(true)
  const [chosen, setChosen] = useState<MenuChoice>()
  useOverlay(isOpen, () => setIsOpen(false))

  function finish() {
    onClose()
    chosen?.run()
  }

  return (
    <Drawer
      opened={isOpen}
      position="bottom"
      size="auto"
      title={<span className={styles.sheetTitle}>{heading}</span>}
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={{ content: { 'aria-label': label }, header: { role: 'presentation' } }}
      classNames={{ content: styles.sheet, header: styles.sheetHeader, body: styles.sheetBody }}
      overlayProps={{ color: 'var(--alcove-scrim)', backgroundOpacity: 1 }}
      returnFocus={false}
      onClose={() => setIsOpen(false)}
      onExitTransitionEnd={finish}
    >
      {groups.map((group) => (
        <ul key={group[0]?.label} className={styles.group}>
          {group.map((choice) => (
            <li key={choice.label}>
              <button
                type="button"
                className={styles.sheetItem}
                data-dangerous={choice.isDangerous}
                disabled={choice.reason !== undefined}
                onClick={() => {
                  setChosen(choice)
                  setIsOpen(false)
                }}
              >
                <choice.Icon size={20} stroke={1.75} aria-hidden />
                <span>
                  {choice.label}
                  {choice.reason && <span className={styles.reason}>{choice.reason}</span>}
                </span>
              </button>
            </li>
          ))}
        </ul>
      ))}
    </Drawer>
  )
}
