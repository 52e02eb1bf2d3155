import { Html, html } from './html.ts'

interface PageOptions {
  title: string
  /** The path under which everything lies, like `/stripe-sandbox`. */
  base: string
  content: Html
  isCentred?: boolean
}

/** The frame of every hosted page: the band that says what this is, and what is in the page. */
export function page({ title, base, content, isCentred = false }: PageOptions): string {
  const file = (name: string) => `${base}/assets/${name}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} - Alcove</title>
<link rel="icon" href="data:,">
<link rel="preload" as="font" type="font/woff2" href="${file('hanken-grotesk-latin.woff2')}" crossorigin>
<link rel="preload" as="font" type="font/woff2" href="${file('young-serif-latin.woff2')}" crossorigin>
<link rel="stylesheet" href="${file('pages.css')}">
<script src="${file('color-scheme.js')}"></script>
<script src="${file('pages.js')}" defer></script>
</head>
<body${isCentred && html` class="centred"`}>
<aside class="band" aria-label="Test payments"><span class="mark">Test payments</span>
<span>No real card is charged. <b>4242 4242 4242 4242</b> pays, <b>4000 0000 0000 0002</b> is declined.</span></aside>
${content}
</body>
</html>
`.text
}

/** The arch and the name. */
export const logo = html`<span class="logo"><svg viewBox="0 0 28 31" aria-hidden="true"><path class="outer" d="M0 31V14a14 14 0 0 1 28 0v17z"/><path class="reveal" d="M7.5 31V17a8 8 0 0 1 16 0v14z"/><path class="light" d="M10.5 31V17.5a6.5 6.5 0 0 1 13 0V31z"/></svg><span>Alcove</span></span>`

const drawn = (paths: string) =>
  new Html(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${paths}</svg>`)

export const icons = {
  back: drawn('<path d="M5 12h14M5 12l6 6M5 12l6-6"/>'),
  lock: drawn(
    '<path d="M5 13a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2zM8 11V7a4 4 0 0 1 8 0v4"/><path d="M12 15.5v1"/>',
  ),
  card: drawn(
    '<path d="M3 8a3 3 0 0 1 3-3h12a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3zM3 10h18M7 15h.01M11 15h2"/>',
  ),
  choose: drawn('<path d="M8 9l4-4l4 4M16 15l-4 4l-4-4"/>'),
  alert: drawn('<path d="M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M12 8v4M12 16h.01"/>'),
  download: drawn('<path d="M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2M7 11l5 5l5-5M12 4v12"/>'),
  clock: drawn('<path d="M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M12 7v5l3 3"/>'),
}

/** A page of one message, where there is nothing to do but go back. */
export function messagePage(options: { base: string; title: string; text: string; backUrl?: string | null }): string {
  const { base, title, text, backUrl } = options
  return page({
    title,
    base,
    isCentred: true,
    content: html`<main class="message">${logo}<h1>${title}</h1><p>${text}</p>
${backUrl && html`<p><a class="button quiet" href="${backUrl}">Back to Alcove</a></p>`}</main>`,
  })
}
