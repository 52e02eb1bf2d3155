import type { Item, PathStep } from '@alcove/contract/items'
import { Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './FolderBreadcrumb.module.css'
import { folderAddress } from './folder-address.ts'
import { ROOT_NAME } from './folder-contents.ts'
import { useItemDrop } from './use-item-drag.ts'

interface FolderBreadcrumbProps {
  /** The ancestors of the folder, without the root. */
  readonly path: readonly PathStep[]
  /** The folder itself. */
  readonly name: string
  readonly isRoot: boolean
  readonly onMoveInto: (item: Item, folderId: string | undefined) => void
}

/** More ancestors than this, and those in between go into a menu. */
const SHOWN = 3

/** The way to a folder. Every step on it can be gone back to, and takes what is dropped on it. */
export function FolderBreadcrumb({ path, name, isRoot, onMoveInto }: FolderBreadcrumbProps) {
  const isNarrow = useMediaQuery('(max-width: 35.99em)', undefined, { getInitialValueInEffect: false })
  const ancestors: Step[] = isRoot ? [] : [{ name: ROOT_NAME }, ...path]
  const [shown, hidden] = collapse(ancestors, isNarrow ? 0 : SHOWN)
  return (
    <nav className={styles.nav} aria-label="Folder path">
      <ol className={styles.steps}>
        {shown.map((step, index) => (
          <li key={step.id ?? ROOT_NAME} className={styles.step}>
            <Crumb step={step} onMoveInto={onMoveInto} />
            <IconChevronRight className={styles.chevron} size={16} stroke={1.75} aria-hidden />
            {index === 0 && hidden.length > 0 && <HiddenSteps steps={hidden} />}
          </li>
        ))}
        {shown.length === 0 && hidden.length > 0 && (
          <li className={styles.step}>
            <HiddenSteps steps={hidden} />
          </li>
        )}
        <li className={styles.step}>
          <strong className={styles.current} aria-current="page">
            <bdi dir="auto">{name}</bdi>
          </strong>
        </li>
      </ol>
    </nav>
  )
}

interface Step {
  readonly id?: string
  readonly name: string
}

/** The steps that stand in the line, and those that have to go into the menu behind the first of them. */
function collapse(steps: readonly Step[], limit: number): [shown: readonly Step[], hidden: readonly Step[]] {
  if (steps.length <= limit) return [steps, []]
  if (limit === 0) return [[], steps]
  return [[...steps.slice(0, 1), ...steps.slice(1 - limit)], steps.slice(1, 1 - limit)]
}

interface CrumbProps {
  readonly step: Step
  readonly onMoveInto: (item: Item, folderId: string | undefined) => void
}

function Crumb({ step, onMoveInto }: CrumbProps) {
  const link = useRef<HTMLAnchorElement>(null)
  const isTarget = useItemDrop(link, step.id, onMoveInto)
  return (
    <Link ref={link} className={styles.crumb} data-target={isTarget || undefined} to={folderAddress(step.id)}>
      <bdi dir="auto">{step.name}</bdi>
    </Link>
  )
}

function HiddenSteps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <IconButton className={styles.hidden} label="Show the folders above">
            …
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          {steps.map((step) => (
            <Menu.Item key={step.id ?? ROOT_NAME} component={Link} to={folderAddress(step.id)}>
              <bdi dir="auto">{step.name}</bdi>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <IconChevronRight className={styles.chevron} size={16} stroke={1.75} aria-hidden />
    </>
  )
}
