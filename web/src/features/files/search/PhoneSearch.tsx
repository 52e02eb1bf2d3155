import { IconArrowLeft, IconSearch } from '@tabler/icons-react'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { useOverlay } from '../../../ui/dialogs/overlay-history.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { PhoneHeader } from '../../../ui/PageHeader.tsx'
import styles from './PhoneSearch.module.css'
import { SearchBox } from './SearchBox.tsx'

/** The search on a phone: a button that opens a search box over the whole header. */
export function PhoneSearch({ onChoose }: ComponentProps<typeof SearchBox>) {
  const [isOpen, setIsOpen] = useState(false)
  const bar = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useOverlay(isOpen, close)

  useEffect(() => {
    if (isOpen) bar.current?.querySelector('input')?.focus()
  }, [isOpen])

  function close() {
    setIsOpen(false)
    button.current?.focus()
  }

  return (
    <PhoneHeader>
      <IconButton
        ref={button}
        className={styles.button}
        label="Open search"
        size={44}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
      >
        <IconSearch size={22} stroke={1.75} />
      </IconButton>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it from any of its fields and buttons
        <div ref={bar} className={styles.bar} onKeyDown={({ key }) => key === 'Escape' && close()}>
          <IconButton label="Close search" size={44} onClick={close}>
            <IconArrowLeft size={22} stroke={1.75} />
          </IconButton>
          <div className={styles.field}>
            <SearchBox
              onChoose={(result) => {
                setIsOpen(false)
                onChoose(result)
              }}
            />
          </div>
        </div>
      )}
    </PhoneHeader>
  )
}
