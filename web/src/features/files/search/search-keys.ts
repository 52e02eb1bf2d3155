/**
 * Where a key leads to in a list of results: the arrows go around; Home and End are for the text as long as no result is
 * chosen. Undefined where the key is not for the list.
 */
export function findNextResult<Result extends { readonly id: string }>(
  results: readonly Result[],
  activeId: string | undefined,
  key: string,
): Result | undefined {
  const index = results.findIndex(({ id }) => id === activeId)
  if (key === 'ArrowDown') return results[(index + 1) % results.length]
  if (key === 'ArrowUp') return results.at(index <= 0 ? -1 : index - 1)
  if (index === -1) return undefined
  if (key === 'Home') return results[0]
  if (key === 'End') return results.at(-1)
  return undefined
}
