import { type ReactNode, useState } from 'react'
import { TitledSheet } from '../../ui/dialogs/TitledSheet.tsx'
import styles from './ChoiceMenu.module.css'
import type { MenuChoice } from './item-menu.ts'

interface ChoiceMenuSheetProps {
  readonly label: string
  readonly heading: ReactNode
  readonly groups: readonly (readonly MenuChoice[])[]
  readonly onClose: () => void
}

/** A menu for touch screens: a sheet at the lower edge with large rows. */
export function ChoiceMenuSheet({ label, heading, groups, onClose }: ChoiceMenuSheetProps) {
  const [isOpen, setIsOpen] = useState(true)
  const [chosen, setChosen] = useState<MenuChoice>()

  function finish() {
    onClose()
    chosen?.run()
  }

  return (
    <TitledSheet
      opened={isOpen}
      label={label}
      title={heading}
      headerClass={styles.sheetHeader}
      titleClass={styles.sheetTitle}
      bodyClass={styles.sheetBody}
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
    </TitledSheet>
  )
}
