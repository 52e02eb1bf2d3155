// Comfort only: everything works without.

const brands = [
  [/^4/, 'VISA'],
  [/^(5[1-5]|2[2-7])/, 'MASTERCARD'],
  [/^3[47]/, 'AMEX'],
  [/^(6011|64[4-9]|65)/, 'DISCOVER'],
  [/^(30[0-5]|36|38)/, 'DINERS'],
  [/^35/, 'JCB'],
  [/^62/, 'UNIONPAY'],
]

/** Writes a field anew and leaves the cursor behind the digit it was behind. */
function rewrite(field, format) {
  const isAtEnd = field.selectionStart === field.value.length
  const digitsBefore = field.value.slice(0, field.selectionStart ?? 0).replace(/\D/g, '').length
  const text = format(field.value.replace(/\D/g, ''))
  if (text === field.value) return
  field.value = text
  if (isAtEnd) return field.setSelectionRange(text.length, text.length)
  let place = 0
  for (let digits = 0; place < text.length && digits < digitsBefore; place++) if (/\d/.test(text[place])) digits++
  field.setSelectionRange(place, place)
}

function groupNumber(digits) {
  const isAmex = /^3[47]/.test(digits)
  const groups = isAmex ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : /^(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,7})?/
  return (groups.exec(digits) ?? []).slice(1).filter(Boolean).join(' ')
}

function writeExpiry(digits) {
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits
  const year = padded.slice(2, 6)
  return padded.length > 2 ? `${padded.slice(0, 2)} / ${year}` : padded
}

for (const form of document.querySelectorAll('[data-card-form]')) {
  const { number, expiry } = form.elements
  const mark = form.querySelector('.brand')
  const showBrand = () => {
    const digits = number.value.replace(/\D/g, '')
    mark.textContent = brands.find(([prefix]) => prefix.test(digits))?.[1] ?? ''
  }
  number.addEventListener('input', () => {
    rewrite(number, groupNumber)
    showBrand()
  })
  expiry.addEventListener('input', (event) => {
    if (event.inputType?.startsWith('delete')) return
    rewrite(expiry, writeExpiry)
  })
  showBrand()
}

// A second click while the first is on its way does nothing.
for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) return event.preventDefault()
    form.dataset.sent = 'yes'
    const button = event.submitter
    const label = button?.querySelector('span')
    button?.setAttribute('aria-busy', 'true')
    if (label && button.dataset.busy) label.textContent = button.dataset.busy
  })
}
// What answers a form is a page like any other: reloaded or come back to, it asks for itself and sends nothing again.
history.replaceState(null, '', location.pathname.replace(/(\/portal\/[^/]+)\/.*/, '$1'))

// The page as it was, when one comes back to it.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

document.querySelector('[data-follow]')?.click()
