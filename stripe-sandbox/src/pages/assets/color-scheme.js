// The scheme chosen in the product, else the system's.
;(() => {
  let stored = null
  try {
    stored = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage may be forbidden; the system's scheme will do.
  }
  if (stored === 'dark' || stored === 'light') document.documentElement.setAttribute('data-scheme', stored)
})()
