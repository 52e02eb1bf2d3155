import { useEffect, useState } from 'react'

/** How many files are being dragged over the window. Their names and sizes the browser keeps until they are dropped. */
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
