// The pages also work without this script.

// Ignore a second submission while the first is in progress.
for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) return event.preventDefault()
    form.dataset.sent = 'yes'
    event.submitter?.setAttribute('aria-busy', 'true')
  })
}

// Make a page that is the response to a form reload with GET, so that nothing is sent twice.
history.replaceState(null, '', location.pathname.replace(/(\/portal\/[^/]+)\/.*/, '$1'))

// Reload a page that the browser restores from its back/forward cache.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

document.querySelector('[data-follow]')?.click()
