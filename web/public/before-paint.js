// Runs before the first paint, and before the program is there.
;(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null // Storage may be forbidden.
    }
  }
  const { dataset } = document.documentElement
  // The scheme chosen with the header's toggle, else the system's.
  const stored = read('mantine-color-scheme-value')
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches
  dataset.mantineColorScheme = stored === 'dark' || (stored !== 'light' && systemIsDark) ? 'dark' : 'light'

  // Where nothing else is to be seen, somebody has to say that the program could not be fetched.
  const onError = ({ target }) => {
    if (!(target instanceof HTMLScriptElement) || target.type !== 'module') return
    delete dataset.hold
    document.getElementById('first-look')?.remove()
    const root = document.getElementById('root')
    if (!root || root.hasChildNodes()) return
    const [main, heading, message, button] = ['main', 'h1', 'p', 'button'].map((tag) => document.createElement(tag))
    const name = document.querySelector('meta[name="alcove-name"]')?.content || 'Alcove'
    heading.textContent = `${name} could not be loaded`
    message.textContent = 'Check your connection, then reload the page.'
    button.textContent = 'Reload'
    button.onclick = () => location.reload()
    main.append(heading, message, button)
    root.append(main)
    root.dataset.failed = 'yes'
  }
  addEventListener('error', onError, true)

  const token = read('token')
  if (!token) return
  // Hides the links of visitors, and the page for registering, until the program runs (decision 022).
  dataset.session = 'yes'
  if (location.pathname === '/register') dataset.hold = 'yes'
  if (location.pathname !== '/profile') return

  // Handed over by api/early-responses.ts.
  const [name = 'name', order = 'asc'] = (read('fileSort') ?? 'name-asc').split('-')
  const field = name === 'updatedAt' ? 'modifiedAt' : name // As `readSort` does.
  const folder = new URLSearchParams(location.search).get('folder')
  const list = new URLSearchParams({ ...(folder && { folderId: folder }), sort: field, order, limit: '200' })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const responses = new Map()
  for (const address of [`/api/items?${list}`, '/api/storage']) {
    const response = fetch(address, { headers })
    response.catch(() => undefined) // Told when it is taken, if it is.
    responses.set(address, response)
  }
  window.alcoveEarly = { token, responses }
  // The first date formatter takes 25 ms to make, later ones almost nothing: make it while the scripts load.
  setTimeout(() => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }).format())
})()
