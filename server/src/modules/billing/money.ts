/** Amounts are whole cents everywhere but on the wire. */
export function toDollars(cents: number): number {
  return cents / 100
}
