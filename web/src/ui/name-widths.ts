/** In a narrower element, in rem, the beginning of a name is shown instead of its end. */
const NARROW = 6

/** Marks the names that don't fit. One observer for all of them; it is called before the page is painted. */
export const nameWidths = globalThis.ResizeObserver
  ? new ResizeObserver((entries) => {
      const least = NARROW * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const cut = entries.map(({ target: { firstElementChild: text, clientWidth } }) => {
        return clientWidth >= least && text !== null && text.scrollWidth > clientWidth
      })
      entries.forEach(({ target }, index) => {
        target.toggleAttribute('data-shortened', cut[index])
      })
    })
  : { observe() {}, unobserve() {} }
