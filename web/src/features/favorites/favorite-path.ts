import type { PathStep } from '@alcove/contract/items'

/** Where the favorites show a folder, or all of them. */
export function favoritesAddress(folderId: string | undefined): string {
  return folderId ? `/favorites?folder=${encodeURIComponent(folderId)}` : '/favorites'
}

/** The ancestors of a folder as far as the favorites lead there: from the topmost that is one itself. */
export function pathFromFavorite(path: readonly PathStep[], favorites: readonly { readonly id: string }[]): PathStep[] {
  const ids = new Set(favorites.map(({ id }) => id))
  const start = path.findIndex(({ id }) => ids.has(id))
  return start === -1 ? [] : path.slice(start)
}
