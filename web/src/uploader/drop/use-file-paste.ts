import { useEffect, useEffectEvent } from 'react'

/** Hears when files are pasted into the page, but not into a field, nor below a dialog. */
export function useFilePaste(onPaste: (items: DataTransferItem[]) => void): void {
  const paste = useEffectEvent(onPaste)
  useEffect(() => {
    const hear = (event: ClipboardEvent) => {
      const items = [...(event.clipboardData?.items ?? [])].filter(({ kind }) => kind === 'file')
      if (items.length === 0 || isInField(event.target) || document.querySelector('[aria-modal]')) return
      event.preventDefault()
      paste(items)
    }
    document.addEventListener('paste', hear)
    return () => document.removeEventListener('paste', hear)
  }, [])
}

function isInField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null
}
