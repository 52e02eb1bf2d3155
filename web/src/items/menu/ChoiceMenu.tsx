import { Menu } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { useMedia } from '../../lib/use-media.ts'
import { Dropdown } from '../../ui/Dropdown.tsx'
import styles from './ChoiceMenu.module.css'
import type { MenuChoice } from './item-menu.ts'

const sheet = lazyModule(() => import('./ChoiceMenuSheet.tsx'))

/** Where a menu is a sheet at the lower edge: on phones and touch screens. */
const SHEET = '(max-width: 35.99em), (pointer: coarse)'

interface ChoiceMenuProps {
  /** The accessible name of the menu. */
  readonly label: string
  /** Shown above the choices of a sheet; above those of a menu at the pointer only with `hasHeading`. */
  readonly heading: ReactNode
  readonly hasHeading?: boolean
  readonly groups: readonly (readonly MenuChoice[])[]
  /** The position in the window. */
  readonly x: number
  readonly y: number
  readonly onClose: () => void
}

/** A menu that opens at a point, or as a sheet at the lower edge of a touch screen. */
export function ChoiceMenu({ label, heading, hasHeading = false, groups, x, y, onClose }: ChoiceMenuProps) {
  const isSheet = useMedia(SHEET)
  const sheetPart = useLazyModule(sheet, isSheet)
  const first = groups.flat().find(({ reason }) => reason === undefined)
  if (isSheet) {
    return sheetPart ? (
      <sheetPart.ChoiceMenuSheet label={label} heading={heading} groups={groups} onClose={onClose} />
    ) : null
  }
  return (
    <Dropdown
      defaultOpened
      position="bottom-start"
      offset={4}
      onClose={onClose}
      returnFocus={false}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      // Not 'keydown': the key that opens the menu would close it again.
      clickOutsideEvents={['mousedown', 'touchstart']}
    >
      <Menu.Target>
        <button type="button" className={styles.anchor} style={{ left: x, top: y }} tabIndex={-1} aria-label={label} />
      </Menu.Target>
      <Menu.Dropdown ref={focusFirst} onContextMenu={(event) => event.preventDefault()}>
        {hasHeading && <Menu.Label>{heading}</Menu.Label>}
        {groups.map((group, index) => (
          <Fragment key={group[0]?.label}>
            {index > 0 && <Menu.Divider />}
            {group.map((choice) => (
              <Choice key={choice.label} choice={choice} isFirst={choice === first} />
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Dropdown>
  )
}

/** Mantine moves the focus a little later than the menu is shown, and a key pressed in between would act on the page. */
function focusFirst(menu: HTMLElement | null): void {
  menu?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
}

function Choice({ choice, isFirst }: { readonly choice: MenuChoice; readonly isFirst: boolean }): ReactNode {
  const { label, Icon, run, isDangerous, reason, keys } = choice
  return (
    <Menu.Item
      data-autofocus={isFirst || undefined}
      color={isDangerous ? 'var(--alcove-danger)' : undefined}
      disabled={reason !== undefined}
      leftSection={<Icon size={18} stroke={1.75} />}
      rightSection={
        keys && (
          <kbd className={styles.keys} aria-hidden>
            {keys}
          </kbd>
        )
      }
      onClick={run}
    >
      {label}
      {reason && <span className={styles.reason}>{reason}</span>}
    </Menu.Item>
  )
}
