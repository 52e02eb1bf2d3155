// Says which scheme the page starts in: the one chosen with the header's toggle, else the system's.
;(() => {
  let stored = null
  try {
    stored = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage may be forbidden; the system's scheme will do.
  }
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches
  const isDark = stored === 'dark' || (stored !== 'light' && systemIsDark)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
