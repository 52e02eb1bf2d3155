/** Names of jobs are stored as phrases: `remove blobs`. */
export function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
