import '@fontsource-variable/hanken-grotesk'
import '@fontsource/young-serif/400.css'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './app/global.css'
import './lib/schemas-without-eval.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no element with the id root')
createRoot(container).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
