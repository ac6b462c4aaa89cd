import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import { App, prefetchPage } from './app/app.tsx'
import { loadTexts } from './lib/locale.ts'
import './ui/page.css'
import './ui/forced-colors.css'

const element = document.getElementById('app')
if (element) {
  prefetchPage(location)
  const root = createRoot(element)
  void loadTexts().finally(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>
    )
  )
}
