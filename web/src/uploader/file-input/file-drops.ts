import { useEffect, useEffectEvent, useState } from 'react'
import { isKeyTaken } from '../../ui/dialogs/open-layers.ts'

/** Returns how many files are being dragged over the window. Browsers reveal names and sizes only on drop. */
export function useDraggedFileCount(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const read = ({ dataTransfer }: DragEvent) => {
      setCount([...(dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file').length)
    }
    window.addEventListener('dragenter', read)
    return () => window.removeEventListener('dragenter', read)
  }, [])
  return count
}

/** Calls `onPaste` when files are pasted into the page, except in a field or while a dialog is open. */
export function useFilePaste(onPaste: (items: DataTransferItem[]) => void): void {
  const paste = useEffectEvent(onPaste)
  useEffect(() => {
    const hear = (event: ClipboardEvent) => {
      const items = [...(event.clipboardData?.items ?? [])].filter(({ kind }) => kind === 'file')
      if (items.length === 0 || isKeyTaken(event)) return
      event.preventDefault()
      paste(items)
    }
    document.addEventListener('paste', hear)
    return () => document.removeEventListener('paste', hear)
  }, [])
}

/** Prevents the browser from opening files in the tab, in place of the app, when no drop target accepts them. */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    window.addEventListener('dragover', refuse)
    window.addEventListener('drop', refuse)
    return () => {
      window.removeEventListener('dragover', refuse)
      window.removeEventListener('drop', refuse)
    }
  }, [])
}
